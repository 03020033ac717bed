/** What a gate says in words, the same in every format. */
import type { GateReport, Lens, LensResult } from "@spoor/core/gate/gate-report";
import { count, list } from "../../document/words.ts";
import { verdictSentence as baselineSentence } from "../baseline/words.ts";
import { verdictSentence as checkSentence } from "../check/words.ts";
import { headline as cohortSentence } from "../cohort/sentences.ts";
import { verdictSentence as diffSentence } from "../diff/verdict-sentence.ts";

/** Puts a name from a trace into the renderer's own quotes. */
export type Quote = (name: string) => string;

export const lensTitle: Readonly<Record<Lens, string>> = {
  policy: "Policy",
  diff: "Diff",
  cohort: "Cohort",
  baseline: "Baseline",
  trajectory: "Trajectory",
};

/** The consequence: the sentence of the lens that leads. */
export function gateSentence(report: GateReport, quote: Quote): string {
  const { diff, policy, baseline, trajectory, cohort } = report.reports;
  switch (report.lead) {
    case "policy":
      // A diff beside the policy knows what is new, and says so.
      if (diff !== undefined && (diff.verdict.code === "order_broken" || diff.verdict.code === "rule_broken")) {
        return diffSentence(diff.verdict, report.noun, quote);
      }
      return checkSentence(policy!, { noun: report.noun, exitCode: 0, verbose: false });
    case "diff":
      return diffSentence(diff!.verdict, report.noun, quote);
    case "cohort":
      return cohortSentence(cohort!, quote);
    case "baseline":
      return baselineSentence(baseline!.verdict, quote);
    case "trajectory": {
      const failed = trajectory!.results.filter((result) => result.verdict !== "pass");
      const amount = trajectory!.results.length;
      return failed.length === 0
        ? `${count(amount, report.noun)} ${amount === 1 ? "takes" : "take"} the expected path.`
        : `${failed.length} of ${count(amount, report.noun)} ${failed.length === 1 ? "does" : "do"} not take the expected path.`;
    }
    case null:
      return "Nothing was evaluated, and nothing evaluated is no pass.";
  }
}

/** "Blocked", "Warning only" and so on, before the sentence; empty for a pass. */
export function statusWord(report: GateReport): string {
  switch (report.status) {
    case "blocked":
      return "Blocked";
    case "warned":
      return report.gate.reasons.length > 0 ? "Would block" : "Look at this";
    case "not_evaluated":
      return "Not evaluated";
    case "passed":
      return "";
  }
}

/** `1 rule broken, 4 turns differ, 1 unknown path` */
export function reasonsSentence(report: GateReport): string {
  const { policy, diff, baseline, trajectory, cohort } = report.reports;
  const reasons = report.gate.reasons;
  const of = (code: string) => reasons.filter((reason) => reason.code === code).length;
  const parts: string[] = [];
  const rules = of("policy_violation") + of("policy_regression");
  if (policy !== undefined && rules > 0) parts.push(`${count(rules, "rule")} broken`);
  if (diff !== undefined && of("structure") > 0) parts.push(`${count(diff.structure.changed, "turn")} differ`);
  const axes = reasons.filter((reason) => reason.code === "axis").map((reason) => reason.subject);
  if (axes.length > 0) parts.push(`${list(axes)} moved`);
  if (cohort?.gate.tripped) parts.push("the cohort changed");
  if (baseline?.gate.tripped) {
    const paths = new Set(
      baseline.agents.flatMap((agent) => agent.runs.filter((run) => run.status === "new").map((run) => run.hash)),
    ).size;
    parts.push(paths > 0 ? count(paths, "unknown path") : "the baseline");
  }
  if (trajectory?.gate.tripped) {
    parts.push(
      `${count(trajectory.results.filter((result) => result.verdict !== "pass").length, report.noun)} off the expected path`,
    );
  }
  return parts.join(", ");
}

/** Where a lens's finding begins: `ticket-1042, turn 2` or a fingerprint. */
export function beginsText(result: LensResult, quote: Quote): string {
  const { begins } = result;
  if (begins === undefined) return "";
  if (begins.fingerprint !== undefined) return quote(begins.fingerprint);
  return `${quote(begins.trace)}${begins.turnIndex === undefined ? "" : ` turn ${begins.turnIndex + 1}`}`;
}
