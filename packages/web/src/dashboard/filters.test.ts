import { expect, it } from "vitest";
import { filtersOf, queryOf, readFilter } from "./filters.ts";

it.each([
  ["tool:issue_refund", { name: "tool", value: "issue_refund" }],
  ["Scenario: two words ", { name: "scenario", value: "two words" }],
  ["rule=a:b", { name: "rule", value: "a:b" }],
  ["issue_refund", { name: "q", value: "issue_refund" }],
  ["refund.amount 89", { name: "q", value: "refund.amount 89" }],
  ["colour:red", undefined],
  ["tool:", undefined],
  ["__proto__:x", undefined],
])("%s", (text, filter) => {
  expect(readFilter(text)).toEqual(filter);
});

it("an address is read in a fixed order and written back, whatever its values hold", () => {
  const query = new URLSearchParams({ tool: "a&b=c#d", agent: "ä ö", at: "x", status: "" });
  expect(filtersOf(query)).toEqual([
    { name: "agent", value: "ä ö" },
    { name: "tool", value: "a&b=c#d" },
  ]);
  expect(filtersOf(new URLSearchParams(queryOf(filtersOf(query))))).toEqual(filtersOf(query));
});
