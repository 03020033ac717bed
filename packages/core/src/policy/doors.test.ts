import { describe, expect, it } from "vitest";
import { policyOf, rule } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import { lacksOf, whyNot } from "./doors.ts";
import { canStopCalls, needsOf } from "./needs.ts";
import { ruleKinds } from "./rules.ts";

const one = (described: JsonObject) => policyOf([described]).rules[0]!;

describe("what a rule needs", () => {
  it.each<[JsonObject, string[]]>([
    [rule("no_call", { tool: "a" }), []],
    [rule("no_call", { tool: "a" }, { agent: "x" }), ["agents"]],
    [rule("no_call", { tool: "a" }, { when: [{ path: "model", op: "==", value: "m" }] }), ["turns"]],
    [rule("no_call", { tool: "a" }, { when: [{ path: "principal.user", op: "==", value: "m" }] }), ["situation"]],
    [rule("must_call_before", { first: "a", second: "b" }), ["results"]],
    [rule("must_call_before", { first: "a", second: "b", first_succeeded: false }), []],
    [rule("must_call_before", { first: "a", second: "b", within: { turns: 2 } }), ["turns", "results"]],
    [rule("max_calls", { tool: "a", limit: 1, per: "minute" }), ["clock"]],
    [rule("max_turns", { limit: 1 }), ["turns"]],
    [rule("ltl_formula", { formula: "G !tool_call:a" }), []],
    [rule("ltl_formula", { formula: "F tool_call:a" }), ["turns"]],
    [rule("must_call_all", { tools: ["a"] }), ["end"]],
    [rule("no_flow", { from: "a", to: "b" }), ["results"]],
  ])("%j: %j", (described, needs) => {
    expect(needsOf(one(described))).toEqual(needs);
  });

  it("a kind that listens to results says whether it can do without them", () => {
    for (const kind of ruleKinds) if (kind.onResult !== undefined) expect(kind.needsResults, kind.kind).toBeDefined();
  });
});

describe("what no call about to run can break is left to others", () => {
  it.each([
    ["must_call_all", { tools: ["a"] }, false],
    ["must_call_one_of", { tools: ["a"] }, false],
    ["no_failed_call", {}, false],
    ["max_turns", { limit: 1 }, false],
    ["must_call_once", { tool: "a" }, true],
    ["no_flow", { from: "a", to: "b" }, true],
  ])("%s", (kind, params, stops) => {
    expect(canStopCalls(one(rule(kind, params)))).toBe(stops);
  });
});

describe("what a door says of a rule that needs more than it sees", () => {
  const about = rule("no_call", { tool: "a" }, { id: "r", agent: "x" });
  it("a hook is told which agent calls, an MCP proxy is not", () => {
    expect(whyNot("hook", one(about), lacksOf("hook"))).toEqual([]);
    expect(whyNot("proxy", one(about), lacksOf("proxy"))).toEqual(["Rule r is about x; a proxy does not see it."]);
  });
  it("a guard says what to add", () => {
    expect(whyNot("guard", one(about), () => true)).toEqual([
      "Rule r is about x: say who acts, with guard.session(id, { agent }) and wrapTools(tools, { agent }).",
    ]);
  });
  it("every need of a rule is named", () => {
    const much = rule(
      "must_call_before",
      { first: "a", second: "b", within: { turns: 2 } },
      { id: "r", when: [{ path: "context.x", op: "==", value: 1 }] },
    );
    expect(whyNot("hook", one(much), lacksOf("hook"))).toEqual([
      "Rule r looks at whole responses (must_call_before); a hook is shown calls only.",
      "Rule r looks at context.x; a hook is not told whose session it is, nor its context.",
    ]);
  });
});
