import { expect, it } from "vitest";
import { policyOf, rule, traceOfRecords, turn, violationsOf } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";

it.each<JsonObject>([{ n: 4000 }, { limit: 4000 }])("loads with %j", (params) => {
  expect(policyOf([rule("max_total_tokens", params)]).rules).toHaveLength(1);
});

it("a token count that is a word counts nothing", () => {
  const trace = traceOfRecords(turn({ text: "a", response: { usage: { input_tokens: "many", output_tokens: 31 } } }));
  expect(violationsOf([rule("max_total_tokens", { limit: 30 })], trace)[0]!.facts).toEqual({ total: 31, limit: 30 });
});

it("a trace without token counts is listed as not evaluated, never passed over", () => {
  const tokens = checkPolicy(traceOfRecords(turn({ text: "a" })), policyOf([rule("max_total_tokens", { limit: 5 })]));
  expect(tokens.notEvaluated).toEqual([{ what: "r", why: "no response recorded how many tokens it used" }]);
});
