import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { Mark } from "../../document/document.ts";

/** The mark says what the exit code says: failed is 1, unknown is 2. What changed without reaching the line is a warning. */
export function markOfDiff({ verdict, gate, policy, rows }: DiffReport): Mark {
  const isOpen = (policy?.notEvaluated.length ?? 0) > 0 || rows.some((row) => row.unanswered !== undefined);
  if (verdict.code === "not_enough" || isOpen) return "unknown";
  if (gate.tripped) return "failed";
  const isCalm = verdict.code === "unchanged" && verdict.reworded === undefined && verdict.unmatched === undefined;
  return isCalm && (policy?.regressions.length ?? 0) === 0 ? "passed" : "warning";
}
