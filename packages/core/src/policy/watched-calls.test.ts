/** How many rules a call is shown to: work is counted, not timed. */
import { describe, expect, it } from "vitest";
import { policyOf, rule } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import { watchersOf } from "./watched-calls.ts";

const amounts = (rules: readonly JsonObject[], tool: string) => {
  const { calls, results, judges, readsOutput } = watchersOf(policyOf(rules))(tool);
  return { calls: calls.length, results: results.length, judges: judges.length, readsOutput };
};
const hundred = (one: (n: number) => JsonObject) => Array.from({ length: 100 }, (_, n) => ({ ...one(n), id: `r${n}` }));

describe("of a hundred rules a call is shown to", () => {
  it.each<[string, readonly JsonObject[], string, number]>([
    ["the one that names its tool", hundred((n) => rule("max_calls", { tool: `t${n}`, limit: 1 })), "t7", 1],
    ["none of those that allow it", hundred(() => rule("only_calls", { tools: ["t*"] })), "t7", 0],
    ["every one that does not allow it", hundred(() => rule("only_calls", { tools: ["t*"] })), "other", 100],
    ["every one that may mean it, where it has no name", hundred(() => rule("only_calls", { tools: ["t*"] })), "", 100],
    ["no rule about failures of other tools", hundred((n) => rule("no_blind_retry", { tool: `t${n}` })), "x", 0],
    ["every one about any tool", hundred(() => rule("no_blind_retry", {})), "x", 100],
  ])("%s", (_name, rules, tool, calls) => {
    expect(amounts(rules, tool).calls).toBe(calls);
  });
});

describe("how a call ended is told to", () => {
  const retries = [rule("no_blind_retry", { tool: "a" })];
  it.each([
    ["its own tool", "a", 1],
    ["a tool that may have changed something", "update_order", 1],
    ["a tool that only reads", "get_order", 0],
  ])("a rule about retries of %s", (_name, tool, results) => {
    expect(amounts(retries, tool).results).toBe(results);
  });

  it.each<[string, JsonObject, string, boolean]>([
    ["that follows its values", rule("no_flow", { from: "a", to: "b" }), "a", true],
    ["that follows those of another", rule("no_flow", { from: "a", to: "b" }), "b", false],
    ["that asks only whether it went well", rule("must_call_before", { first: "a", second: "b" }), "a", false],
    ["that judges it", rule("no_result", { tool: "a", matching: "x" }), "a", true],
    ["that is about a call without a name", rule("no_flow", { from: "a", to: "b" }), "", true],
  ])("and what came out is read for a rule %s, or not at all", (_name, one, tool, reads) => {
    expect(amounts([one], tool).readsOutput).toBe(reads);
  });
});
