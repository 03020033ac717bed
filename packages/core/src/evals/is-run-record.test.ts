import { describe, expect, it } from "vitest";
import type { JsonObject } from "../trace/json.ts";
import { isRunRecord } from "./is-run-record.ts";

const record: JsonObject = {
  schema: "spoor.eval-run/1",
  eval_id: "refund",
  target: "agent",
  key: "k",
  status: "passed",
  run: 1,
  score: 1,
  hits: ["a"],
  misses: [],
  trace_summary: { event_count: 1, tool_names: ["a"], tool_calls_by_name: { a: 1 }, error_count: 0 },
  token_usage: { input: 10, output: 2 },
  evaluator_results: [{ name: "path", type: "tool_trajectory", score: 1 }],
};

describe("a line of a results file", () => {
  it.each([
    ["as it was written", {}],
    ["with what is not known yet", { invented_later: { a: [1n] } }],
    ["without a trace", { trace_summary: null }],
    [
      "of a run that was retried",
      { retries: [{ kind: "timeout", message: "slow" }], error: { kind: "x", message: "y" } },
    ],
  ])("is a result: %s", (_, change) => {
    expect(isRunRecord({ ...record, ...change } as JsonObject)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ["a score that is null", { score: null }],
    ["a score that no number holds", { score: 10n ** 30n }],
    ["evaluators that are a number", { evaluator_results: 7 }],
    ["an evaluator that is null", { evaluator_results: [null] }],
    ["an evaluator without a score", { evaluator_results: [{ name: "a", type: "b" }] }],
    ["tokens that no number holds", { token_usage: { input: 9272036854775808n, output: 1 } }],
    ["half of the tokens", { token_usage: { input: 1 } }],
    ["hits that are no texts", { hits: [{}] }],
    ["a list where its summary should be", { trace_summary: [] }],
    [
      "counts that are texts",
      { trace_summary: { ...(record["trace_summary"] as JsonObject), tool_calls_by_name: { a: "1" } } },
    ],
    ["an error without words", { error: {} }],
    ["a run that is a text", { run: "1" }],
  ])("is none: %s", (_, change) => {
    expect(isRunRecord({ ...record, ...change })).toBe(false);
  });

  it.each(["eval_id", "key", "status", "score", "hits", "trace_summary"])("is none without %s", (key) => {
    const { [key]: _, ...rest } = record;
    expect(isRunRecord(rest)).toBe(false);
  });
});
