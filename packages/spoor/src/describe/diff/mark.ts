import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { Mark } from "../../document/document.ts";

/** Blocked, or something that ran before does not: failed. Anything else that changed: a warning. */
export function markOfDiff(report: DiffReport): Mark {
  if (report.verdict.code === "not_enough") return "unknown";
  if (report.gate.tripped) return "failed";
  switch (report.verdict.code) {
    case "order_broken":
    case "rule_broken":
      return "failed";
    case "unchanged":
      return report.verdict.reworded === undefined ? "passed" : "warning";
    default:
      return "warning";
  }
}
