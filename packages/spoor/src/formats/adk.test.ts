import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { importFixture } from "../../test/fixtures.ts";
import { loadTraceFile } from "../load/load-traces.ts";

const calls = (name: string, at = 0) =>
  importFixture(name)[at]!.toolCalls.map(({ name: tool, input, output, status, agent }) => ({
    tool,
    input,
    output,
    status,
    agent,
  }));

it("reads a session, each agent in its lane, failed calls by what their response says", () => {
  const [trace] = importFixture("adk/shop.session.json");
  expect(trace).toMatchObject({ id: "s-1", agent: "desk", metadata: { app: "shop" } });
  expect(trace!.turns.map(({ agent }) => agent)).toEqual([undefined, "clerk", "clerk"]);
  expect(trace!.toolCalls).toMatchObject([
    { name: "transfer_to_agent", input: { agent_name: "clerk" }, status: "ok" },
    { name: "lookup", agent: "clerk", input: { id: "A-1" }, output: { state: "shipped" }, status: "ok" },
    { name: "lookup", agent: "clerk", input: { id: "B-2" }, status: "error" },
  ]);
  expect(trace!.toolCalls.every((call) => call.durationMs === undefined)).toBe(true);
  expect(trace!.turns[0]).toMatchObject({ ts: "2026-01-05T08:00:01.000Z", response: { stop_reason: "tool_use" } });
  expect(trace!.turns[0]!.response["usage"]).toEqual({ input_tokens: 40, output_tokens: 9 });
});

it("reads events as lines and in camel case, with the error of a model", () => {
  const [trace] = importFixture("adk/events.jsonl");
  expect(trace!.toolCalls).toMatchObject([{ id: "adk-2", input: { id: "A-1" }, status: "error" }]);
  expect(trace!.turns[0]!.response["usage"]).toEqual({ input_tokens: 12, output_tokens: 3, thinking_tokens: 5 });
  expect(trace!.records.at(-1)).toMatchObject({ kind: "error", payload: { code: "MALFORMED_FUNCTION_CALL" } });
});

it("reads what eval sets expect, and says that it is no run", () => {
  const [trace] = importFixture("adk/orders.evalset.json");
  expect(trace).toMatchObject({ scenario: "orders/where", metadata: { expected: true } });
  expect(trace!.source.notes).toEqual(["this is what the agent is expected to do, not what it did"]);
  expect(calls("adk/orders.evalset.json")).toMatchObject([
    { tool: "lookup", input: { id: "A-1" }, status: "unknown" },
    { tool: "notify", input: { text: "hi" }, status: "unknown" },
  ]);
  expect(importFixture("adk/orders.test.json")[0]!.turns).toHaveLength(3);
  expect(importFixture("adk/old.evalset.json")[0]!.scenario).toBe("old_set");
});

it("reads what the agent did when its eval set was run", () => {
  const [trace] = importFixture("adk/orders.evalset_result.json");
  expect(trace).toMatchObject({ scenario: "orders/where", metadata: { labels: { tool_trajectory_avg_score: 0.5 } } });
  expect(calls("adk/orders.evalset_result.json")).toMatchObject([
    { tool: "lookup", output: { state: "shipped" }, status: "ok" },
  ]);
});

describe.skipIf(!sharedExists)(onShared("real files of ADK"), () => {
  // Counted in Python: events of role model and their function_call parts; of test files, every reference, every intermediate
  // response and every query that expects tools is a turn, every expected_tool_use a call.
  it.each([
    { name: "adk-customer-service.session.json.gz", turns: 17, tools: 6 },
    { name: "adk-full-conversation.test.json.gz", turns: 16, tools: 6 },
    { name: "adk-brand-search.evalset.json.gz", turns: 6 + 3 + 4, tools: 10 },
  ])("$name", async ({ name, turns, tools }) => {
    const [trace, ...others] = await loadTraceFile(`${sharedFolder}/corpora/formats-2/${name}`);
    expect(others).toEqual([]);
    expect(trace!.source).toMatchObject({ format: "adk" });
    expect(trace!.source.unknown).toBeUndefined();
    expect([trace!.turns.length, trace!.toolCalls.length]).toEqual([turns, tools]);
  });
});
