/** What LangChain's tracer really stores, and what the SDK sends. */
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";
import { rankFormats } from "./formats.ts";

describe("LangSmith", () => {
  it("a ChatGeneration is an answer: text, calls and tokens", () => {
    const [trace] = importFixture("langsmith/chat-generation.json");
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["I look it up.", "Yes, 24 degrees."]);
    expect(trace!.turns.map((turn) => turn.stopReason)).toEqual(["tool_use", "end_turn"]);
    expect(trace!.toolCalls).toMatchObject([
      { id: "call_1", name: "weather", input: { city: "Bern" }, output: "24 degrees", status: "ok", turnIndex: 0 },
    ]);
    // 52 input with 20 cached, 17 output with 5 of reasoning; 80 and 6.
    expect(trace!.turns.map((turn) => turn.usage)).toEqual([
      { inputTokens: 32, cachedInputTokens: 20, outputTokens: 12, thinkingTokens: 5 },
      { inputTokens: 80, outputTokens: 6 },
    ]);
    expect(trace!.source.unknown).toBeUndefined();
  });

  it.each([
    { type: "Generation", text: "plain" },
    { type: "GenerationChunk", text: "plain" },
    {
      type: "ChatGenerationChunk",
      text: "plain",
      message: { content: "plain", type: "AIMessageChunk", tool_calls: [] },
    },
    { text: "plain", generation_info: {}, type: "LLMGeneration" },
  ])("$type is an answer too", (generation) => {
    const run = {
      id: "r",
      run_type: "llm",
      trace_id: "r",
      inputs: { prompts: ["hi"] },
      outputs: { generations: [[generation]] },
    };
    const [trace] = importValues("langsmith", { document: [run] as never });
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["plain"]);
    expect(trace!.source.unknown).toBeUndefined();
  });

  it("a patch ends the run that a post began, though only its place names it", () => {
    const [trace] = importFixture("langsmith/batch.json");
    expect(trace!.turns).toHaveLength(1);
    expect(trace!.turns[0]!.usage).toEqual({ inputTokens: 9, outputTokens: 9 });
    expect(trace!.toolCalls).toMatchObject([
      { name: "refund", input: { order: 7 }, status: "error", durationMs: 500, error: { kind: "ValueError" } },
    ]);
  });

  it("posts and patches may stand in lines of their own, in any order", () => {
    const id = "30000000-0000-4000-8000-000000000001";
    const post = {
      id,
      run_type: "llm",
      trace_id: id,
      start_time: 1,
      inputs: { messages: [{ role: "user", content: "hi" }] },
    };
    const patch = {
      id,
      trace_id: id,
      end_time: 2,
      outputs: { choices: [{ message: { role: "assistant", content: "hello" } }] },
    };
    const [trace, ...rest] = importValues("langsmith", { lines: [{ patch: [patch] }, { post: [post] }] });
    expect(rest).toEqual([]);
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["hello"]);
  });

  it("calls that an answer repeats as its text are not what it said", () => {
    const echo = '[{"id":"c","name":"find","arguments":{"q":"x"}}]';
    const told = (content: string) =>
      importValues("langsmith", {
        document: [
          {
            id: "r",
            run_type: "llm",
            inputs: { messages: [{ role: "user", content: "hi" }] },
            outputs: {
              message: { role: "assistant", content, tool_calls: [{ id: "c", name: "find", args: { q: "x" } }] },
            },
          },
        ],
      })[0]!.turns[0]!.text;
    expect(told(echo)).toBe("");
    expect(told('{"toolCalls":[{"toolName":"find","args":"{\\"q\\":\\"x\\"}"}]}')).toBe("");
    expect(told('[{"name":"other","arguments":{}}]')).toBe('[{"name":"other","arguments":{}}]');
    expect(told("I look.")).toBe("I look.");
  });

  const begun = (id: string, type: string) => ({
    id,
    name: "lookup",
    run_type: type,
    trace_id: "t",
    dotted_order: `20260105T080000000000Z${id}`,
    start_time: "2026-01-05T08:00:00.000000",
    inputs: { messages: [{ role: "user", content: "Where?" }] },
  });
  const ended = (id: string) => ({
    id,
    trace_id: "t",
    dotted_order: `20260105T080000000000Z${id}`,
    end_time: "2026-01-05T08:00:01.000000",
    outputs: { choices: [{ message: { role: "assistant", content: "Here." } }] },
  });
  const read = (...batches: object[]) => importValues("langsmith", { lines: batches } as never);

  it("batches that tell the beginning and the end of a run apart are one run", () => {
    const [trace] = read({ post: [begun("a", "llm")], patch: [] }, { post: [], patch: [ended("a")] });
    expect(trace!.turns.map((turn) => [turn.text, turn.durationMs])).toEqual([["Here.", 1000]]);
    expect(trace!.source.notes).toBeUndefined();
  });

  it.each([
    {
      name: "only ends",
      batch: { post: [], patch: [ended("a")] },
      says: /only how runs ended \(patch\).*one batch per line/,
    },
    { name: "ends without a list of beginnings", batch: { patch: [ended("a")] }, says: /only how runs ended/ },
    {
      name: "only beginnings",
      batch: { post: [begun("a", "llm"), begun("b", "tool")] },
      says: /only how runs began \(post\)/,
    },
  ])("half a batch is refused with what to do: $name", ({ batch, says }) => {
    expect(() => read(batch)).toThrow(says);
    expect(rankFormats({ document: batch as never, lines: [batch as never] })[0]!.format.name).toBe("langsmith");
  });

  it("a call whose end is missing is told", () => {
    const [trace] = read({ post: [begun("a", "llm"), begun("b", "tool")], patch: [ended("a")] });
    expect(trace!.source.notes).toEqual(["1 call whose end is not in this file"]);
  });
});
