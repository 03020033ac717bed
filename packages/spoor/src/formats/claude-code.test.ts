import type { Json, Trace } from "@spoor/core";
import { member } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { beforeAll, describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

const outline = (trace: Trace) => trace.turns.map((turn) => turn.toolCalls.map((call) => call.name));

describe("a session with a sub-agent in the same file", () => {
  let trace: Trace;
  beforeAll(() => {
    [trace] = importFixture("claude-code/sub-agent.jsonl") as [Trace];
  });

  it("makes one turn of the lines of one response, results between them included", () => {
    expect(outline(trace)).toEqual([["Task"], ["Grep"], [], ["Read", "Bash"], [], ["Edit"], []]);
    expect(trace.turns[0]!.response["content"]).toEqual([
      { type: "thinking", text: "I should look first." },
      { type: "text", text: "I send someone to look." },
      expect.objectContaining({ type: "tool_use", id: "toolu_task", name: "Task" }),
    ]);
    expect(trace.turns[3]!.toolCalls.map((call) => call.parallelGroup)).toEqual(["turn-3", "turn-3"]);
  });

  it("takes the usage of the last line, once per message, and drops what is only a placeholder", () => {
    const outputs = trace.turns.map(
      (turn) => (turn.response["usage"] as { output_tokens?: number } | undefined)?.output_tokens,
    );
    expect(outputs).toEqual([120, 40, 9, 77, 60, undefined, undefined]);
    expect(trace.turns[0]!.response["usage"]).toEqual({
      input_tokens: 10,
      output_tokens: 120,
      cached_input_tokens: 200,
      cached_write_5m_tokens: 20,
      cached_write_1h_tokens: 10,
    });
    expect(trace.turns[5]!.response).not.toHaveProperty("usage");
    expect(trace.source.notes).toEqual(["1 response without a final count of output tokens"]);
  });

  it("links the sub-agent to the call that started it and keeps its conversation apart", () => {
    expect(trace.turns.map((turn) => turn.agent)).toEqual([
      undefined,
      "Explore",
      "Explore",
      ...Array(4).fill(undefined),
    ]);
    expect(trace.turns[1]!.parentCallId).toBe("toolu_task");
    expect(trace.turns[1]!.request["messages"]).toEqual([{ role: "user", content: "Where are prices computed?" }]);
    expect(trace.sessions).toHaveLength(1);
  });

  it("takes durations from the clock: of responses from their input, of tools from the line of the call", () => {
    expect(trace.turns.map((turn) => turn.durationMs)).toEqual([3000, 900, 750, 1900, 600, 500, 2000]);
    expect(trace.toolCalls.map((call) => call.durationMs)).toEqual([2500, 250, 200, 2000, 100]);
  });

  it("knows failed results, joins text blocks and skips a line copied twice", () => {
    expect(trace.toolCalls.map((call) => call.status)).toEqual(["ok", "ok", "ok", "error", "ok"]);
    expect(trace.toolCalls[1]!.output).toBe("src/price.ts\nsrc/cart.ts");
  });

  it("records retries and errors of the API, which are no turns", () => {
    expect(trace.records.filter((record) => record.kind === "error").map((record) => record.payload)).toEqual([
      { source: "llm", message: "API Error: overloaded" },
    ]);
    const events = trace.records.filter((record) => record.kind === "harness_event");
    expect(events.map((record) => record.payload)).toMatchObject([{ category: "retry" }, { category: "context_trim" }]);
  });

  it("begins the history anew after a compaction", () => {
    expect(trace.turns.at(-1)!.request["messages"]).toEqual([
      { role: "user", content: "This session is being continued: prices are in cents now." },
    ]);
  });

  it("counts lines it does not know", () => {
    expect(trace.source.unknown).toEqual({ "brand-new-line": 1 });
    expect(trace).toMatchObject({ agent: "claude-code", id: "5f0c0000-0000-4000-8000-000000000001" });
  });
});

it("tells old sidechains without an id apart by their first line, and finds their calls by the prompt", () => {
  const [trace] = importFixture("claude-code/old-sidechains.jsonl");
  expect(trace!.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
    [undefined, undefined],
    ["reader-a", "toolu_x"],
    ["reader-b", "toolu_y"],
    [undefined, undefined],
  ]);
});

it("reads the file of a sub-agent as a trace of its own", () => {
  const [trace] = importFixture("claude-code/agent-a1b2.jsonl");
  expect(trace).toMatchObject({ agent: "agent-a1b2", id: "5f0c0000-0000-4000-8000-000000000001/agent-a1b2" });
  expect(trace!.turns.map((turn) => turn.agent)).toEqual([undefined, undefined]);
});

it("reads a file without any model turn as a trace without turns", () => {
  const [trace] = importFixture("claude-code/only-bookkeeping.jsonl");
  expect(trace!.turns).toEqual([]);
});

describe("claude -p --output-format stream-json", () => {
  it("knows sub-agents by the call that started them, and the outcome of the run", () => {
    const [trace] = importFixture("claude-code/stream.jsonl");
    expect(trace!.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
      [undefined, undefined],
      ["Explore", "toolu_t"],
      [undefined, undefined],
    ]);
    expect(trace!.turns[0]!.request["tools"]).toEqual([{ name: "Task" }, { name: "Grep" }]);
    expect(trace!.turns.at(-1)!.response["stop_reason"]).toBe("end_turn");
    expect(trace!.metadata["labels"]).toMatchObject({ outcome: "error_max_turns", cost_usd: 0.01 });
    expect(trace!.records.at(-1)).toMatchObject({ kind: "error", payload: { code: "error_max_turns" } });
  });

  it("gives the same turns and calls as the transcript of the same real run", () => {
    const [stream] = importFixture("claude/stream.jsonl");
    const [transcript] = importFixture("claude/transcript.jsonl");
    expect(outline(stream!)).toEqual([["Bash", "Read"], ["Bash"], ["Write"], []]);
    expect(outline(transcript!)).toEqual(outline(stream!));
    expect(transcript!.source.unknown).toBeUndefined();
    expect(transcript!.metadata["labels"]).toEqual({ cost_usd: 0.020132, duration_ms: 1181 });
    expect(stream!.toolCalls.map((call) => call.status)).toEqual(["ok", "ok", "error", "ok"]);
    expect(transcript!.toolCalls.map((call) => call.status)).toEqual(["ok", "ok", "error", "ok"]);
    expect(transcript!.turns.map((turn) => turn.response["stop_reason"])).toEqual([
      "tool_use",
      "tool_use",
      "tool_use",
      "end_turn",
    ]);
  });
});

const user = (second: number, content: Json, uuid: string) => ({
  ...{ type: "user", sessionId: "s", uuid, message: { role: "user", content } },
  timestamp: `2026-01-05T09:00:${String(second).padStart(2, "0")}.000Z`,
});
const assistant = (second: number, id: string, uuid: string) => ({
  ...{
    type: "assistant",
    sessionId: "s",
    uuid,
    message: { id, role: "assistant", content: [{ type: "text", text: id }] },
  },
  timestamp: `2026-01-05T09:00:${String(second).padStart(2, "0")}.000Z`,
});

it("takes no duration from lines whose clock is out of order, as in a copied history", () => {
  const lines = [
    user(50, "a", "1"),
    assistant(51, "m1", "2"),
    user(10, "b", "3"),
    assistant(52, "m2", "4"),
    user(55, "c", "5"),
    assistant(57, "m3", "6"),
  ];
  const [trace] = importValues("claude-code", { lines });
  expect(trace!.turns.map((turn) => turn.durationMs)).toEqual([undefined, undefined, 2000]);
  expect(trace!.source.notes).toEqual(["3 lines with a clock out of order, from which no duration is taken"]);
});

it("splits a file of several sessions, and keeps one that was resumed under a new id together", () => {
  const other = { ...assistant(3, "m2", "9"), sessionId: "t" };
  const resumed = { ...assistant(4, "m3", "10"), sessionId: "u", parentUuid: "2" };
  const traces = importValues("claude-code", { lines: [user(1, "a", "1"), assistant(2, "m1", "2"), other, resumed] });
  expect(traces.map((trace) => [trace.id, trace.turns.length])).toEqual([
    ["s", 2],
    ["t", 1],
  ]);
});

describe("tokens of the whole run", () => {
  const init = { type: "system", subtype: "init", session_id: "s1" };
  const usage = { input_tokens: 306, output_tokens: 30, cache_read_input_tokens: 14 };
  const main = { inputTokens: 600, outputTokens: 60, cacheReadInputTokens: 28, cacheCreationInputTokens: 0 };
  const small = { inputTokens: 12, outputTokens: 3, cacheReadInputTokens: 0, cacheCreationInputTokens: 5 };

  it.each([
    ["are those of all models, sub-agents included", { m1: main, m2: small }, [612, 63, 28, 5]],
    ["are those of the one model", { m1: main }, [600, 60, 28, undefined]],
    ["are those of the conversation where nothing is told per model", {}, [306, 30, 14, undefined]],
  ])("%s", (_, modelUsage, [input, output, cached, written]) => {
    const result = { type: "result", subtype: "success", is_error: false, session_id: "s1", usage, modelUsage };
    const [trace] = importValues("claude-code", { lines: [init, result] });
    expect(member(member(trace!.metadata, "labels"), "usage")).toEqual(
      present({
        input_tokens: input,
        output_tokens: output,
        cached_input_tokens: cached,
        cached_write_5m_tokens: written,
      }),
    );
  });
});
