import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { expect, it } from "vitest";
import { plainText } from "../../document/text.ts";
import { movedAmounts } from "./moved-amounts.ts";

type Amounts = readonly (readonly [baseline: unknown, candidate: unknown])[];

/** A report of traces in which `refund` is called with another amount. */
function reportOf(amounts: Amounts, code = "order_broken"): DiffReport {
  return {
    noun: "ticket",
    verdict: { code, tool: "refund", before: "confirm", traces: 1, of: 2 },
    traces: amounts.map(([baseline, candidate]) => ({
      divergences: [
        { calls: { arguments: [{ tool: "refund", path: "reason", baseline: "a", candidate: "b" }] } },
        { calls: { arguments: [{ tool: "refund", path: "refund.amount", baseline, candidate }] } },
      ],
    })),
  } as unknown as DiffReport;
}

it.each<[string, Amounts]>([
  ["In 1 ticket refund.amount changed as well: 40 → 89.", [[40, 89]]],
  [
    "In 2 tickets refund.amount changed as well: 40 → 89 and 25 → 50.5.",
    [
      [40, 89],
      [25, 50.5],
    ],
  ],
  [
    "In 5 tickets refund.amount changed as well: 1 → 2, 1 → 2, 1 → 2 and 2 more.",
    [
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
    ],
  ],
  ["", [["40", "89"]]],
  ["", []],
])("%j", (sentence, amounts) => {
  expect(plainText(movedAmounts(reportOf(amounts)))).toBe(sentence);
});

it("is silent where the verdict speaks of no call", () => {
  expect(movedAmounts(reportOf([[1, 2]], "unchanged"))).toEqual([]);
});
