/** Sub-agents that Claude Code keeps in files of their own are part of the session's run. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadTraces } from "./load-traces.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-companions-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (seconds: number, type: string, content: unknown, more: object = {}) =>
  JSON.stringify({
    type,
    uuid: `${type}-${seconds}-${JSON.stringify(more).length}`,
    sessionId: "s1",
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
    message: { id: `m${seconds}${type}`, role: type, content },
    ...more,
  });

const session = [
  line(0, "user", "Look into it"),
  line(1, "assistant", [
    { type: "tool_use", id: "t1", name: "Task", input: { prompt: "Find auth", subagent_type: "Explore" } },
  ]),
  line(9, "user", [{ type: "tool_result", tool_use_id: "t1", content: "auth.ts" }], {
    toolUseResult: { agentId: "a1" },
  }),
  line(10, "assistant", [{ type: "text", text: "It is in auth.ts." }]),
].join("\n");

const side = { isSidechain: true, agentId: "a1" };
const agent = [
  line(2, "user", "Find auth", side),
  line(3, "assistant", [{ type: "tool_use", id: "g1", name: "Grep", input: { pattern: "auth" } }], side),
  line(4, "user", [{ type: "tool_result", tool_use_id: "g1", content: "auth.ts:1" }], side),
  line(5, "assistant", [{ type: "text", text: "auth.ts" }], side),
].join("\n");

const places = [
  { name: "beside it", path: ["agent-a1.jsonl"] },
  { name: "under its own folder", path: ["s1", "subagents", "agent-a1.jsonl"] },
];

describe("sub-agents in files of their own", () => {
  it.each(places)("$name: one run, in the order of time", async ({ path }) => {
    mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true });
    writeFileSync(join(folder, "s1.jsonl"), session);
    writeFileSync(join(folder, ...path), agent);
    await expectOneRun("s1.jsonl");
  });

  it.each([
    { name: "both packed", main: "s1.jsonl.gz", path: ["agent-a1.jsonl.gz"] },
    { name: "only the sub-agent packed", main: "s1.jsonl", path: ["agent-a1.jsonl.gz"] },
    { name: "only the session packed", main: "s1.jsonl.gz", path: ["s1", "subagents", "agent-a1.jsonl"] },
    { name: "both packed, under its own folder", main: "s1.jsonl.gz", path: ["s1", "subagents", "agent-a1.jsonl.gz"] },
  ])("packed with gzip, $name", async ({ main, path }) => {
    mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true });
    writePacked(join(folder, main), session);
    writePacked(join(folder, ...path), agent);
    await expectOneRun(main);
  });

  it("a packed copy beside the unpacked file is not read a second time", async () => {
    writeFileSync(join(folder, "s1.jsonl"), session);
    writeFileSync(join(folder, "agent-a1.jsonl"), agent);
    writePacked(join(folder, "agent-a1.jsonl.gz"), agent);
    await expectOneRun("s1.jsonl");
  });

  it("a packed file that is cut short is refused by its own name; --lenient takes what can be read", async () => {
    writeFileSync(join(folder, "s1.jsonl"), session);
    writeFileSync(join(folder, "agent-a1.jsonl.gz"), gzipSync(agent).subarray(0, -12));
    const path = join(folder, "s1.jsonl");
    await expect(loadTraces([path])).rejects.toMatchObject({
      code: "trace.truncated-gzip",
      message: expect.stringContaining("agent-a1.jsonl.gz ends early"),
    });
    expect((await loadTraces([path], { lenient: true }))[0]!.turns.length).toBeGreaterThan(2);
  });

  it("a file of a sub-agent alone, and one of another session, stay what they are", async () => {
    writeFileSync(join(folder, "agent-a1.jsonl"), agent);
    expect((await loadTraces([join(folder, "agent-a1.jsonl")])).map((trace) => trace.id)).toEqual(["s1/agent-a1"]);
    writeFileSync(join(folder, "s2.jsonl"), session.replaceAll('"s1"', '"s2"'));
    expect((await loadTraces([folder])).map((trace) => trace.turns.length).sort()).toEqual([2, 2]);
  });
});

function writePacked(path: string, text: string): void {
  writeFileSync(path, path.endsWith(".gz") ? gzipSync(text) : text);
}

async function expectOneRun(main: string): Promise<void> {
  for (const given of [folder, join(folder, main)]) {
    const traces = await loadTraces([given]);
    expect(traces).toHaveLength(1);
    expect(traces[0]!.turns.map((turn) => [turn.agent, turn.parentCallId, turn.text])).toEqual([
      [undefined, undefined, ""],
      ["Explore", "t1", ""],
      ["Explore", "t1", "auth.ts"],
      [undefined, undefined, "It is in auth.ts."],
    ]);
    expect(traces[0]!.toolCalls.map((call) => [call.name, call.agent, call.durationMs])).toEqual([
      ["Task", undefined, 8000],
      ["Grep", "Explore", 1000],
    ]);
  }
}
