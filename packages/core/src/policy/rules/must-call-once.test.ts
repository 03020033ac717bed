import { describe, expect, it } from "vitest";
import {
  judgedLive,
  offering,
  policyOf,
  type Reply,
  rule,
  standalone,
  traceOfRecords,
  turn,
  turnsOf,
} from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";

it("a record that comes before its block is the same call", () => {
  const trace = traceOfRecords(
    standalone("login", { tool_call_id: "c1" }),
    turn({ calls: [{ name: "login", id: "c1" }] }),
  );
  expect(turnsOf(rule("must_call_once", { tool: "login" }), trace)).toEqual([]);
});

describe("if_offered", () => {
  const once = rule("must_call_once", { tool: "login", if_offered: true });
  it("holds a missing call against the agent only if it could make it", () => {
    expect(turnsOf(once, traceOfRecords(turn({ text: "x", request: offering("login") })))).toEqual([null]);
    expect(turnsOf(once, traceOfRecords(turn({ text: "x", request: offering("other") })))).toEqual([]);
  });
  it("says so when no request lists its tools", () => {
    const check = checkPolicy(traceOfRecords(turn({ text: "x" })), policyOf([once]));
    expect(check.violations).toEqual([]);
    expect(check.notEvaluated).toEqual([
      { what: "r", why: "no request says which tools were offered, so a missing call of login cannot be judged" },
    ]);
  });
  it("understands OpenAI's shape of tools", () => {
    const request = { tools: [{ type: "function", function: { name: "login" } }] };
    expect(turnsOf(once, traceOfRecords(turn({ text: "x", request })))).toEqual([null]);
  });
});

it.each<[string, JsonObject, Reply[], string[]]>([
  ["a second call", rule("must_call_once", { tool: "a" }), [{ calls: ["a"] }, { calls: ["a"] }], ["provisional"]],
  ["nothing about a tool not called yet", rule("must_call_once", { tool: "a" }), [{ text: "x" }], []],
])("tells the guard %s", (_name, one, replies, expected) => {
  expect(judgedLive(one, ...replies)).toEqual(expected);
});
