import { expect, it } from "vitest";
import { failingRefunds, policyOf, result, rule, traceOfRecords, turn, violationsOf } from "../../../test/policy.ts";
import { checkPolicy } from "../check-policy.ts";

it("reports each failure with its message", () => {
  const violations = violationsOf([rule("no_failed_call", { tool: "issue_refund" })], failingRefunds);
  expect(violations.map((violation) => violation.turnIndex)).toEqual([0, 1]);
  expect(violations[0]!.message).toBe('issue_refund failed: "timeout".');
});

it("lists calls without a recorded result as not evaluated, never passes them over", () => {
  const failed = checkPolicy(
    traceOfRecords(
      turn({
        calls: [
          { name: "t", id: "1" },
          { name: "t", id: "2" },
        ],
      }),
      result("1", "ok"),
    ),
    policyOf([rule("no_failed_call", {})]),
  );
  expect(failed.notEvaluated).toEqual([{ what: "r", why: "1 call of 2 have no recorded result" }]);
});
