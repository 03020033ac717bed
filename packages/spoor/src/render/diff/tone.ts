import type { DiffReport } from "@spoor/core/diff/diff-report";

export type Tone = "bad" | "warn" | "good" | "unknown";

/** Blocked, or something that ran before does not: bad. Anything else that changed: a warning. */
export function toneOf(report: DiffReport): Tone {
  if (report.verdict.code === "not_enough") return "unknown";
  if (report.gate.tripped) return "bad";
  switch (report.verdict.code) {
    case "order_broken":
    case "rule_broken":
      return "bad";
    case "unchanged":
      return report.verdict.reworded === undefined ? "good" : "warn";
    default:
      return "warn";
  }
}
