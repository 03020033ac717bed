/**
 * Every SDK of the matrix, seen by both doors at once: the same calls of the same process go through the proxy and through the
 * recorder within. What the two write is compared record by record, but for times and what a door says of itself.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json, TraceRecord } from "@spoor/core";
import { member } from "@spoor/core/internal/trace/json";
import { describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../record/test/model-server/model-server.ts";
import { baseUrls, prepareProgram, runMatrixProgram } from "../../../record/test/sdk-matrix/matrix.ts";
import { programs } from "../../../record/test/sdk-matrix/programs.mjs";
import { loadTraces } from "../../src/load/load-traces.ts";
import { spoorBin, temporaryFolder } from "./run-spoor.ts";

const register = fileURLToPath(new URL("../../../record/dist/node/register.js", import.meta.url));

/** What both doors must say alike; tools that run in the process are seen by one of them alone. */
const SHARED = /^(chat_request|chat_request_delta|chat_response|error|harness_event)$/;

function told({ kind, payload, meta }: TraceRecord) {
  const { latency_ms: _latency, stream_timings: _timings, ...said } = payload as Record<string, Json>;
  // The same failure has one code at a socket of Node's http and another at one of its fetch.
  if (kind === "error") return { kind, status: said["status_code"] ?? null };
  // A client that leaves has not read all that came; the door behind it saw more than the one within.
  if (member(meta, "complete") === false) return { kind, complete: false };
  if (kind !== "harness_event") return { kind, payload: said, complete: member(meta, "complete") };
  return { kind, category: said["category"], name: said["name"] };
}

/** By the first thing that was asked: each case has a prompt of its own. */
async function recordsIn(folder: string) {
  const traces = await loadTraces([folder]);
  return new Map(
    traces.map(({ records, turns, steps }) => {
      const kept = records.filter(
        ({ kind, payload }) => SHARED.test(kind) && member(payload, "category") !== "recording",
      );
      const first = kept.find(({ kind }) => kind === "chat_request")!;
      const calls = { answers: turns.length, calls: steps.filter(({ kind }) => kind === "llm").length };
      return [JSON.stringify(member(first.payload, "messages")), { calls, ...byKind(kept) }];
    }),
  );
}

/** An agent may ask again when it has read all it needs, before the answer has ended: kinds keep their order, each by itself. */
function byKind(records: readonly TraceRecord[]): Record<string, unknown[]> {
  const kinds: Record<string, unknown[]> = {};
  for (const record of records) {
    const kind = record.kind.replace("_delta", "");
    kinds[kind] ??= [];
    kinds[kind].push(told(record));
  }
  return kinds;
}

const kinds = programs.flatMap((program) =>
  program.kinds.map((kind) => ({ program, kind, prepared: prepareProgram(program, kind) })),
);

describe.each(kinds)("$program.name, $kind", ({ program, prepared }) => {
  const title = prepared.command === undefined ? ` (skipped: ${prepared.why})` : "";

  it.skipIf(prepared.command === undefined)(`through the proxy as from within${title}`, async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    const folder = temporaryFolder();
    const [outside, inside] = [join(folder, "proxy"), join(folder, "within")];
    mkdirSync(inside);
    // The recorder within is not told of the proxy, so it does not ask it to look away.
    const within = ["env", `SPOOR_DIR=${inside}`, "SPOOR_PROXY=", process.execPath, "--import", register];
    const command = [process.execPath, spoorBin, "record", "--proxy", "on", "--to", outside, "--", ...within];
    const ended = await runMatrixProgram(prepared.command!, { ...baseUrls(model.url), ...KEYS }, command);
    expect(ended.code, ended.stderr).toBe(0);
    const seen = await recordsIn(outside);
    expect(seen.size, ended.stderr).toBeGreaterThanOrEqual(8 * program.variants.length);
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(await recordsIn(inside)));
    const answered = [...seen.values()].reduce((sum, { calls }) => sum + calls.answers, 0);
    expect(answered).toBe(model.exchanges.filter(({ status }) => status === 200).length);
  });
});

const KEYS = {
  OPENAI_API_KEY: "sk-of-nobody-1",
  ANTHROPIC_API_KEY: "sk-of-nobody-2",
  GEMINI_API_KEY: "key-of-nobody-3",
  GOOGLE_API_KEY: "key-of-nobody-3",
};
