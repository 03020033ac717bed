/** Traces that MLflow and Weave keep: model calls and tool runs joined into turns. */
import { describe, expect, it } from "vitest";
import { importFixture } from "../../test/fixtures.ts";

const outcomes = (name: string) =>
  importFixture(name)[0]!.toolCalls.map(({ name: tool, input, output, status }) => ({ tool, input, output, status }));

describe("MLflow", () => {
  it("reads what it writes today", () => {
    const [trace] = importFixture("mlflow/trace.json");
    expect(trace).toMatchObject({ id: "tr-1", agent: "desk" });
    expect(outcomes("mlflow/trace.json")).toMatchObject([
      { tool: "lookup", input: { id: "A-1" }, output: { state: "shipped" }, status: "ok" },
      { tool: "lookup", input: { id: "B-2" }, status: "error" },
    ]);
    expect(trace!.toolCalls[1]!.error).toMatchObject({ message: "no such order", kind: "ValueError" });
    // 421574513 − 421204949 ns
    expect(trace!.toolCalls[0]!.durationMs).toBe(0.37);
    expect(trace!.turns.map(({ usage, model }) => [usage?.inputTokens, usage?.outputTokens, model])).toEqual([
      [30, 9, "gpt-5"],
      [50, 3, "gpt-5"],
    ]);
    expect(trace!.turns[0]!.offeredTools).toHaveLength(1);
  });

  it("reads version 2, where spans of one name are numbered", () => {
    const [trace] = importFixture("mlflow/traces.json");
    expect(outcomes("mlflow/traces.json")).toMatchObject([
      { tool: "lookup", input: { id: "A-1" }, output: "shipped", status: "ok" },
      { tool: "lookup", input: { id: "B-2" }, status: "error" },
    ]);
    expect(trace!.turns.map(({ usage }) => usage?.inputTokens)).toEqual([11, 20]);
    expect(trace!.source.unknown).toBeUndefined();
  });
});

describe("Weave", () => {
  it("takes an op for a tool when a model asked for one of its name", () => {
    const [trace] = importFixture("weave/calls.jsonl");
    expect(outcomes("weave/calls.jsonl")).toMatchObject([
      { tool: "lookup", input: { id: "A-1" }, output: { state: "shipped" }, status: "ok" },
      { tool: "lookup", input: { id: "B-2" }, status: "error" },
    ]);
    expect(trace!.toolCalls[1]!.error).toMatchObject({ kind: "ValueError" });
    expect(trace!.turns.map(({ model, system }) => [model, system])).toEqual([
      ["gpt-5-2026", "Be brief."],
      ["claude-sonnet-4-5", undefined],
    ]);
    expect(trace!.source.unknown).toBeUndefined();
    expect(trace!.turns[1]!.response).toMatchObject({
      content: [{ type: "text", text: "Shipped." }],
      usage: { input_tokens: 12, output_tokens: 3 },
    });
  });

  it("and when it says so itself", () => {
    expect(outcomes("weave/tool-kind.json")).toMatchObject([{ tool: "pay", input: { amount: 5 }, output: "paid" }]);
  });
});
