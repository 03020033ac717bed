import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { contentId, type JsonObject, type Trace } from "@spoor/core";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { arrivingTraces } from "./arriving-runs.ts";

const run = (task: string) => ({
  task_id: task,
  trial: 0,
  reward: 1,
  info: {},
  traj: [{ role: "assistant", content: "Hi." }],
});

it("finds files that are written after it began to look, each once, and stops when its reader does", async () => {
  const folder = join(temporaryFolder(), "incoming");
  mkdirSync(folder);
  writeFileSync(join(folder, "1.json"), JSON.stringify([run("a")]));
  const seen: (string | undefined)[] = [];
  for await (const trace of arrivingTraces(folder, { waitMs: 60_000, pollMs: 5 })) {
    seen.push(trace.scenario);
    if (seen.length === 1) writeFileSync(join(folder, "2.json"), JSON.stringify([run("b"), run("c")]));
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(["a", "b", "c"]);
});

it("waits for a folder that does not exist yet, and says so when the waiting ends", async () => {
  const missing = join(temporaryFolder(), "later");
  const reading = collect(arrivingTraces(missing, { waitMs: 0 }));
  await expect(reading).rejects.toMatchObject({ code: "input.missing" });
});

it("reads records of an .agentlog from standard input, a metadata record beginning the next run", async () => {
  const record = (kind: string, payload: JsonObject) => ({
    version: "0.1",
    id: contentId(payload),
    kind,
    ts: "2026-01-01T00:00:00Z",
    parent: null,
    payload,
  });
  const response = record("chat_response", { content: [{ type: "text", text: "Hi." }], stop_reason: "end_turn" });
  const metadata = (task: string) => record("metadata", { task_id: task });
  const lines = [metadata("a"), response, metadata("b"), response].map((line) => JSON.stringify(line)).join("\n");
  const stdin = Readable.from([Buffer.from(lines)]);
  const traces = await collect(arrivingTraces("-", { waitMs: 0, stdin }));
  expect(traces.map(({ scenario }) => scenario)).toEqual(["a", "b"]);
});

async function collect(traces: AsyncIterable<Trace>): Promise<Trace[]> {
  const all: Trace[] = [];
  for await (const trace of traces) all.push(trace);
  return all;
}
