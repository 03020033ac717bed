/** Traces that MLflow, Weave and Langfuse keep: model calls and tool runs joined into turns. */
import { readFileSync } from "node:fs";
import type { Json } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { importFixture, importValues, listFixtures, readSample } from "../../test/fixtures.ts";
import { rankFormats } from "./formats.ts";

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

describe("tables of pandas, in whichever orientation", () => {
  const asJson = (name: string) => readSample(readFileSync(listFixtures().find((one) => one.name === name)!.path));
  const trace = asJson("mlflow/trace.json").document as Record<string, Json>;
  const row: Record<string, Json> = {
    trace_id: "tr-1",
    trace: stringifyJson(trace),
    state: "OK",
    request: { q: "where?" },
    trace_metadata: {},
    spans: (trace["data"] as Record<string, Json>)["spans"]!,
  };
  const shapes = (rows: readonly Record<string, Json>[]): Record<string, Json> => {
    const names = Object.keys(rows[0]!);
    return {
      records: rows,
      columns: Object.fromEntries(
        names.map((name) => [name, Object.fromEntries(rows.map((one, at) => [at, one[name]!]))]),
      ),
      index: Object.fromEntries(rows.map((one, at) => [at, one])),
      split: {
        columns: names,
        index: rows.map((_, at) => at),
        data: rows.map((one) => names.map((name) => one[name]!)),
      },
      table: {
        schema: { fields: names.map((name) => ({ name })) },
        data: rows.map((one, index) => ({ index, ...one })),
      },
    };
  };

  it.each(Object.keys(shapes([row])))("MLflow: %s", (orientation) => {
    const { trace: _whole, ...spansOnly } = row;
    for (const rows of [[row], [spansOnly], [row, { ...spansOnly, trace_id: "tr-2" }]]) {
      const document = shapes(rows)[orientation]!;
      expect(rankFormats({ document, lines: [document] })[0]!.format.name).toBe("mlflow");
      const traces = importValues("mlflow", { document });
      expect(traces.map(({ turns, toolCalls }) => [turns.length, toolCalls.length])).toEqual(rows.map(() => [2, 2]));
    }
  });

  it.each(Object.keys(shapes([row])))("Phoenix: %s", (orientation) => {
    const rows = asJson("phoenix/dataframe.json").document as Record<string, Json>[];
    const document = shapes(rows)[orientation]!;
    expect(rankFormats({ document, lines: [document] })[0]!.format.name).toBe("phoenix");
    expect(importValues("phoenix", { document })[0]!.toolCalls).toMatchObject([{ name: "ask_expert" }]);
  });

  it("traces without their spans are refused with the argument to add", () => {
    const { spans: _spans, trace: _trace, ...bare } = row;
    const document = shapes([bare, bare])["columns"]!;
    expect(rankFormats({ document, lines: [document] })[0]!.format.name).toBe("mlflow");
    expect(() => importValues("mlflow", { document })).toThrow(/traces without their spans/);
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

  const op = (id: string, parent: string | null, name: string, inputs: object, output: object | string) => ({
    id,
    trace_id: "t",
    parent_id: parent,
    op_name: `weave:///team/shop/op/${name}:v1`,
    started_at: `2026-01-05T08:00:0${id}.000000Z`,
    ended_at: `2026-01-05T08:00:0${id}.500000Z`,
    attributes: {},
    inputs,
    output,
    summary: {},
  });
  const asks = { model: "gpt-5", messages: [{ role: "user", content: "Where is A-1?" }] };
  const calls = [{ id: "c1", type: "function", function: { name: "lookup", arguments: '{"id":"A-1"}' } }];
  const openai = { choices: [{ message: { role: "assistant", content: null, tool_calls: calls } }] };
  const anthropic = {
    type: "message",
    role: "assistant",
    content: [{ type: "tool_use", id: "c1", name: "lookup", input: { id: "A-1" } }],
  };
  const tool = op("3", "1", "lookup", { id: "A-1" }, "shipped");

  it.each([
    { name: "of the user's own, as OpenAI answers", values: [op("1", null, "ask_model", asks, openai), tool] },
    { name: "of the user's own, as Anthropic answers", values: [op("1", null, "ask", asks, anthropic), tool] },
    {
      name: "around a known one, which is the one that counts",
      values: [op("1", null, "ask", asks, openai), op("2", "1", "openai.chat.completions.create", asks, openai), tool],
    },
    {
      name: "around another of the user's own",
      values: [op("1", null, "retry", asks, openai), op("2", "1", "ask", asks, openai), tool],
    },
  ])("a call of a model: $name", ({ values }) => {
    const [trace] = importValues("weave", { document: values, lines: [values] } as never);
    expect(trace!.turns).toHaveLength(1);
    expect(trace!.toolCalls.map(({ name, input, output }) => [name, input, output])).toEqual([
      ["lookup", { id: "A-1" }, "shipped"],
    ]);
  });

  it("an op that is given messages and gives back a text is none", () => {
    const values = [
      op("1", null, "summarise", asks, "Shipped."),
      op("2", "1", "anthropic.Messages.create", asks, anthropic),
    ];
    const [trace] = importValues("weave", { document: values, lines: [values] } as never);
    expect(trace!.turns).toHaveLength(1);
  });
});

describe("Langfuse's list of observations", () => {
  const observation = (id: string, traceId: string, type: string, more: object) => ({
    id,
    traceId,
    type,
    parentObservationId: null,
    startTime: `2026-01-05T08:00:0${id}.000Z`,
    endTime: `2026-01-05T08:00:0${id}.500Z`,
    ...more,
  });
  const calls = [{ id: "c", type: "function", function: { name: "lookup", arguments: '{"id":"A-1"}' } }];
  const asks = { model: "gpt-5", input: [{ role: "user", content: "Where?" }] };
  const list = [
    observation("1", "t1", "GENERATION", { ...asks, output: { role: "assistant", content: null, tool_calls: calls } }),
    observation("2", "t1", "TOOL", { name: "lookup", input: { id: "A-1" }, output: "shipped" }),
    observation("3", "t2", "GENERATION", { ...asks, output: { role: "assistant", content: "No." } }),
  ];

  it.each([
    { name: "a list", sample: { document: list, lines: [list] } },
    { name: "a page of the API", sample: { document: { data: list, meta: { page: 1 } } } },
    { name: "one per line", sample: { lines: list } },
  ])("$name: those of one trace are one run", ({ sample }) => {
    expect(rankFormats(sample as never)[0]!.format.name).toBe("langfuse");
    const traces = importValues("langfuse", sample as never);
    expect(traces.map(({ id, turns }) => [id, turns.length])).toEqual([
      ["t1", 1],
      ["t2", 1],
    ]);
    expect(traces[0]!.toolCalls).toMatchObject([{ name: "lookup", output: "shipped", durationMs: 500 }]);
  });

  it("spans of others are none", () => {
    const span = { id: "a", traceId: "t", type: "span", startTime: "2026-01-05T08:00:00Z", input: {} };
    expect(rankFormats({ document: [span], lines: [[span]] })[0]?.format.name).not.toBe("langfuse");
  });
});
