import { describe, expect, it } from "vitest";
import { policyOf, rule, standalone, traceOfRecords, turn } from "../../test/policy.ts";
import type { Json } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";

/** How a forbidding rule and a counting one judge one call of `pay` with these arguments. */
function judged(condition: Json, input: Json): readonly string[] {
  const trace = traceOfRecords(turn({ calls: [{ name: "pay", input }] }));
  return [rule("no_call", { tool: "pay", args: [condition] }), rule("max_calls", { limit: 0, args: [condition] })].map(
    (one) => {
      const check = checkPolicy(trace, policyOf([one]));
      return check.violations.length > 0 ? "broken" : check.notEvaluated.length > 0 ? "unknown" : "kept";
    },
  );
}
const both = (answer: string) => [answer, answer];
const above = { path: "amount", op: ">", value: 75 };

describe("what cannot be compared is not evaluated", () => {
  it.each<[Json, string]>([
    [{ amount: 89 }, "broken"],
    [{ amount: 75 }, "kept"],
    [{ amount: "89" }, "unknown"],
    [{ amount: "-50" }, "unknown"],
    [{ amount: "eighty-nine" }, "unknown"],
    [{ amount: [89] }, "unknown"],
    [{ amount: { value: 89 } }, "unknown"],
    [{ amount: true }, "unknown"],
    [{ amount: null }, "unknown"],
    [{}, "unknown"],
    [{ amont: 89 }, "unknown"],
    [{ amount: "[REDACTED:number]" }, "unknown"],
    ['{"amount":89', "unknown"],
    ["89", "unknown"],
    [[89], "unknown"],
  ])("%j", (input, expected) => {
    expect(judged(above, input)).toEqual(both(expected));
  });

  it.each<[string, Json, Json, string]>([
    ["==", 89, "89", "unknown"],
    ["==", "EUR", "EUR", "broken"],
    ["==", "EUR", "USD", "kept"],
    ["==", "EUR", ["EUR"], "unknown"],
    ["==", true, "true", "unknown"],
    ["==", true, 1, "unknown"],
    ["!=", 89, "89", "unknown"],
    ["!=", "EUR", "USD", "broken"],
    ["!=", "EUR", "[REDACTED:word]", "unknown"],
    ["in", [1, 2], "1", "unknown"],
    ["in", [1, 2], 3, "kept"],
    ["not_in", ["a"], 1, "unknown"],
    ["not_in", ["a"], "b", "broken"],
    ["<", 0, "-50", "unknown"],
    [">", "2026-01-01", "2026-11-15", "broken"],
    [">", "2026-01-01", "15 November", "unknown"],
    ["contains", "rm", ["rm", "-rf"], "broken"],
    ["contains", "rm", ["ls"], "kept"],
    ["contains", "eve@evil.test", [{ email: "eve@evil.test" }], "unknown"],
    ["contains", "rm", 5, "unknown"],
    ["not_contains", "--dry-run", { flags: [] }, "unknown"],
    ["not_contains", "--dry-run", "apply", "broken"],
    ["matches_pattern", "rm -rf", ["rm", "-rf", "/"], "unknown"],
    ["matches_pattern", "rm -rf", "rm -rf /", "broken"],
    ["matches_pattern", "rm -rf", "ls <redacted>", "unknown"],
    ["matches_pattern", "rm -rf", "rm -rf [REDACTED:path]", "broken"],
    ["longer_than", 3, 12345, "unknown"],
    ["longer_than", 3, "abcd", "broken"],
    ["shorter_than", 3, "****", "unknown"],
  ])("%s %j of %j: %s", (op, value, actual, expected) => {
    expect(judged({ path: "amount", op, value }, { amount: actual })).toEqual(both(expected));
  });
});

describe("paths to several values", () => {
  const any = { path: "items.*.amount", op: ">", value: 75 };
  it.each<[Json, string]>([
    [{ items: [{ amount: 5 }, { amount: 89 }] }, "broken"],
    [{ items: [{ amount: 5 }, { amount: 6 }] }, "kept"],
    [{ items: [] }, "kept"],
    [{ items: [{ amount: 5 }, { amount: "89" }] }, "unknown"],
    [{ items: [{ amount: 5 }, {}] }, "unknown"],
    [{ items: [{}, { amount: 89 }] }, "broken"],
    [{ items: 7 }, "unknown"],
    [{}, "unknown"],
  ])("%j", (input, expected) => {
    expect(judged(any, input)).toEqual(both(expected));
  });
});

it("a condition that certainly fails decides, whatever is unknown about the others", () => {
  const trace = traceOfRecords(turn({ calls: [{ name: "pay", input: { amount: "89", currency: "USD" } }] }));
  const args = [above, { path: "currency", op: "==", value: "EUR" }];
  expect(checkPolicy(trace, policyOf([rule("no_call", { tool: "pay", args })])).notEvaluated).toEqual([]);
});

it("an argument that may be left out is named optional", () => {
  expect(judged({ path: "force", op: "==", value: true, optional: true }, {})).toEqual(both("kept"));
  expect(judged({ path: "force", op: "==", value: true, optional: true }, { force: true })).toEqual(both("broken"));
  expect(judged({ path: "force", op: "==", value: true, optional: true }, { force: "true" })).toEqual(both("unknown"));
});

it("to ask whether there is a value is to know what follows when there is none", () => {
  expect(judged({ path: "bcc", op: "!=", value: null }, {})).toEqual(both("kept"));
  expect(judged({ path: "bcc", op: "!=", value: null }, { bcc: "x" })).toEqual(both("broken"));
});

it.each([
  rule("no_call", { tool: "pay", args: [above] }),
  rule("max_calls", { limit: 3, args: [above] }),
  rule("max_calls", { limit: 3, same_args: true }),
])("a call recorded without its arguments: $kind", (one) => {
  const { arguments: _none, ...payload } = standalone("pay").payload as { arguments: Json };
  const check = checkPolicy(traceOfRecords({ kind: "tool_call", payload }), policyOf([one]));
  expect(check.notEvaluated).toEqual([{ what: "r", why: "a call of pay was recorded without its arguments" }]);
});
