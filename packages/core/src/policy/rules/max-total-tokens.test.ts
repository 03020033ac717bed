import { describe, expect, it } from "vitest";
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

describe("some responses without counts", () => {
  const counted = (usage: JsonObject) => turn({ text: "a", response: { usage } });
  const check = (limit: number, ...records: Parameters<typeof traceOfRecords>) =>
    checkPolicy(traceOfRecords(...records), policyOf([rule("max_total_tokens", { limit })]));
  it("are no proof that the budget was kept", () => {
    expect(check(5, counted({ input_tokens: 1 }), turn({ text: "b" }), turn({ text: "c" })).notEvaluated).toEqual([
      { what: "r", why: "only 1 of 3 responses recorded how many tokens they used" },
    ]);
  });
  it("do not hide that it was broken", () => {
    const { violations, notEvaluated } = check(5, counted({ input_tokens: 9 }), turn({ text: "b" }));
    expect([violations.length, notEvaluated.length]).toEqual([1, 0]);
  });
  it.each<JsonObject>([
    { total_tokens: 40 },
    { prompt_tokens: 30, completion_tokens: 10, total_tokens: 40 },
    { inputTokens: 30, outputTokens: 10 },
    { prompt_tokens: "30", completion_tokens: 10 },
  ])("counts %j as 40", (usage) => {
    expect(check(39, counted(usage)).violations[0]!.facts).toEqual({ total: 40, limit: 39 });
    expect(check(40, counted(usage)).violations).toEqual([]);
  });
});
