/** A file without a run is refused, in words and with exit code 2: no command takes it for an agent that did nothing wrong. */
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { loadTraceFile } from "./load-traces.ts";

const load = (value: Json, more: object = {}) =>
  loadTraceFile("export.json", { bytes: Buffer.from(JSON.stringify(value)), ...more });

describe("a file without a run", () => {
  it.each<{ name: string; value: Json }>([
    { name: "an Inspect log without samples", value: { eval: { task: "t", model: "m" }, samples: [] } },
    { name: "tau2-bench results without simulations", value: { tasks: [], simulations: [] } },
    { name: "a Langfuse trace without observations", value: { trace: { id: "t" }, observations: [] } },
    {
      name: "several of them",
      value: {
        traces: [
          { id: "t", observations: [] },
          { id: "u", observations: [] },
        ],
      },
    },
    { name: "a chat of VS Code in which nothing was asked", value: { responderUsername: "Copilot", requests: [] } },
    { name: "an ADK session without events", value: { id: "1", appName: "a", userId: "u", state: {}, events: [] } },
    {
      name: "an MLflow trace without spans",
      value: { info: { trace_id: "t", request_time: "2026-01-01T00:00:00Z" }, data: { spans: [] } },
    },
  ])("$name", async ({ value }) => {
    await expect(load(value)).rejects.toMatchObject({
      code: expect.stringMatching(/^trace\.(empty|bad-record|unknown-format)$/),
    });
  });

  it("is said to be one, with what it was read as", async () => {
    await expect(load({ trace: { id: "t" }, observations: [] })).rejects.toMatchObject({
      code: "trace.empty",
      message: "export.json is read as Langfuse trace, and there is no trace in it.",
    });
  });

  it("one run among others in which nothing happened is kept: it may have died", async () => {
    const generation = { id: "g", traceId: "t", type: "GENERATION", startTime: "2026-01-01T00:00:00Z", output: "hi" };
    const traces = await load({
      traces: [
        { id: "t", observations: [generation] },
        { id: "u", observations: [] },
      ],
    });
    expect(traces.map((trace) => trace.turns.length)).toEqual([1, 0]);
  });

  it("a session that is written while it runs, and has only begun, is a run", async () => {
    const begun = { type: "file-history-snapshot", messageId: "m", snapshot: {}, isSnapshotUpdate: false };
    const bytes = Buffer.from(`${JSON.stringify(begun)}\n${JSON.stringify(begun)}\n`);
    const [trace] = await loadTraceFile("s.jsonl", { bytes });
    expect(trace).toMatchObject({ source: { format: "claude-code" }, turns: [] });
  });

  it("a Gemini CLI session in which nothing was said yet is one too", async () => {
    const [trace] = await load({ sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z", messages: [] });
    expect(trace).toMatchObject({ source: { format: "gemini-cli" }, turns: [] });
  });
});

describe("what is no trace is refused in words that say what it is", () => {
  const chat = '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}';
  const swapped = Buffer.from(chat, "utf16le").swap16();
  const emptyZip = Buffer.concat([Buffer.from("PK\u0005\u0006", "latin1"), Buffer.alloc(18)]);
  it.each([
    { name: "UTF-16 with its mark", bytes: Buffer.from(`\uFEFF${chat}`, "utf16le"), said: "is text in UTF-16" },
    { name: "UTF-16 without it", bytes: Buffer.from(chat, "utf16le"), said: "is text in UTF-16" },
    { name: "UTF-16, the other way round", bytes: swapped, said: "is text in UTF-16" },
    { name: "an empty zip", bytes: emptyZip, said: "is a zip with nothing in it" },
    { name: "no span", bytes: Buffer.from('{"resourceSpans":[]}'), said: "holds no span" },
    { name: "a picture", bytes: Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), said: "is not text" },
  ])("$name", async ({ bytes, said }) => {
    await expect(loadTraceFile("x.json", { bytes })).rejects.toMatchObject({
      message: expect.stringContaining(said),
      hint: expect.any(String),
    });
  });
});
