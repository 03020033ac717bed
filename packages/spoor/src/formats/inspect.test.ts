import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

const [trace, broken] = importFixture("inspect/log.json");

it("makes a trace of each sample, with task, epoch and scores", () => {
  expect(trace).toMatchObject({
    id: "sample-1",
    scenario: "shop/s1",
    source: { entry: "sample s1 epoch 2" },
    metadata: { trial: 2, labels: { includes: "C", grade: 0.5 } },
  });
});

it("makes turns of generated messages only, and knows failed calls", () => {
  expect(trace!.turns.map((turn) => turn.toolCalls.map((call) => [call.name, call.status]))).toEqual([
    [
      ["search", "ok"],
      ["fetch", "error"],
    ],
    [],
  ]);
  expect(trace!.toolCalls[1]!.error).toEqual({ message: "too slow", kind: "timeout" });
});

it("puts back texts that were kept apart, and reasoning as thinking", () => {
  expect(trace!.toolCalls[0]!.output).toBe("a very long page");
  expect(trace!.turns[0]!.response["content"]).toMatchObject([
    { type: "thinking", text: "search" },
    { type: "text", text: "I look." },
    { type: "tool_use" },
    { type: "tool_use" },
  ]);
});

it("takes clocks, parameters and usage from the events; the total tells whether cached tokens are included", () => {
  expect(trace!.turns[0]).toMatchObject({
    ts: "2026-01-05T08:00:01.000Z",
    durationMs: 1500,
    request: { tools: [{ name: "search" }], params: { temperature: 0.5 } },
    response: {
      stop_reason: "tool_use",
      usage: { input_tokens: 40, output_tokens: 15, cached_input_tokens: 60, thinking_tokens: 5 },
    },
  });
  expect(trace!.turns[1]!.response["usage"]).toEqual({ input_tokens: 10, output_tokens: 2, cached_input_tokens: 100 });
  expect(trace!.toolCalls[0]!.durationMs).toBe(500);
  expect(trace!.toolCalls[1]).not.toHaveProperty("durationMs");
});

it("says which results have no call, and keeps the error of a sample", () => {
  expect(broken!.turns).toEqual([]);
  expect(broken!.source.notes).toEqual(["1 tool result without a call in this trace"]);
  expect(broken!.records.at(-1)).toMatchObject({ kind: "error", payload: { message: "the sandbox died" } });
});

it("refuses the header of a log, which has no samples", () => {
  expect(() => importValues("inspect", { document: { eval: { task: "t" } } })).toThrow('has no list "samples"');
});

describe("older logs, whose messages have no ids", () => {
  const said = (content: string) => ({ role: "assistant", content, source: "generate" });
  const asked = (content: string, tokens: number, second: number) => ({
    event: "model",
    timestamp: `2024-11-05T13:31:4${second}.000+00:00`,
    output: {
      model: "m",
      choices: [{ message: said(content), stop_reason: "stop" }],
      usage: { input_tokens: tokens, output_tokens: 2, total_tokens: tokens + 2 },
    },
  });
  const read = (messages: object[], events: object[]) =>
    importValues("inspect", {
      document: { eval: { task: "t" }, samples: [{ id: 1, epoch: 1, messages, events }] } as never,
    })[0]!.turns.map(({ text, usage }) => [text, usage?.inputTokens]);

  it("are joined to the events that answer the same, in order", () => {
    const user = { role: "user", content: "?" };
    const events = [asked("No", 10, 0), asked("No", 20, 1), asked("Yes", 30, 2)];
    expect(read([user, said("No"), user, said("No"), user, said("Yes")], events)).toEqual([
      ["No", 10],
      ["No", 20],
      ["Yes", 30],
    ]);
  });

  it("an answer that was thrown away is passed over, and one without an event has no counts", () => {
    expect(read([said("b"), said("c")], [asked("a", 1, 0), asked("b", 2, 1)])).toEqual([
      ["b", 2],
      ["c", undefined],
    ]);
    expect(read([said("a")], [])).toEqual([["a", undefined]]);
  });
});
