/** What a gate says: the sentence of the lens that leads, why it blocks, where a lens's finding begins. */
import type { CheckStatus, GateReport, Lens, LensResult } from "@spoor/core/internal/gate/gate-report";
import type { Mark, Text } from "../../document/document.ts";
import { capitalised, link, name, say } from "../../document/text.ts";
import { count, list } from "../../document/words.ts";
import { baselineDetail, baselineHeadline } from "../baseline/verdict.ts";
import { checkHeadline, othersBroken } from "../check.ts";
import { cohortDetail, cohortHeadline } from "../cohort/headline.ts";
import { earlyStopDetail, earlyStopHeadline } from "../cohort/sequential.ts";
import { diffDetail, diffHeadline } from "../diff/verdict.ts";
import { turnAnchor } from "../places.ts";
import { cardRuns, cardTitle } from "./card-words.ts";

export const lensTitle: Readonly<Record<Lens, string>> = {
  policy: "Policy",
  diff: "Diff",
  cohort: "Cohort",
  baseline: "Baseline",
  trajectory: "Trajectory",
};

export interface LeadSentence {
  readonly headline: Text;
  readonly detail: Text;
}

/** The consequence: the sentence of the lens that leads. */
export function leadSentence(report: GateReport): LeadSentence {
  const { diff, policy, baseline, trajectory, cohort, earlyStop } = report.reports;
  switch (report.lead) {
    case "policy":
      // A diff beside the policy knows what is new, and says so.
      if (diff !== undefined && (diff.verdict.code === "order_broken" || diff.verdict.code === "rule_broken"))
        return { headline: diffHeadline(diff.verdict, report.noun), detail: diffDetail(diff.verdict) };
      return { headline: checkHeadline(policy!, report.noun), detail: othersBroken(policy!) };
    case "diff":
      return { headline: diffHeadline(diff!.verdict, report.noun), detail: diffDetail(diff!.verdict) };
    case "cohort":
      if (earlyStop !== undefined)
        return { headline: earlyStopHeadline(earlyStop), detail: earlyStopDetail(earlyStop) };
      return { headline: cohortHeadline(cohort!), detail: cohortDetail(cohort!) };
    case "baseline":
      return (
        unknownPathLead(report) ?? {
          headline: baselineHeadline(baseline!.verdict),
          detail: baselineDetail(baseline!.verdict),
        }
      );
    case "trajectory": {
      const failed = trajectory!.results.filter((result) => result.status !== "passed").length;
      const amount = trajectory!.results.length;
      const sentence =
        failed === 0
          ? `${count(amount, report.noun)} ${amount === 1 ? "takes" : "take"} the expected path`
          : `${failed} of ${count(amount, report.noun)} ${failed === 1 ? "does" : "do"} not take the expected path`;
      return { headline: [sentence], detail: [] };
    }
    case null:
      return { headline: ["Nothing was evaluated, and nothing evaluated is no pass"], detail: [] };
  }
}

/** A path is unknown by something: where the runs were compared too, what they do otherwise says more than that nobody saw it. */
function unknownPathLead({ reports: { diff, baseline }, cards: [card], noun }: GateReport): LeadSentence | undefined {
  const { verdict } = baseline!;
  if (verdict.code !== "unknown_path") return undefined;
  const unknown = baselineHeadline(verdict);
  if (diff !== undefined && (diff.verdict.code === "order_broken" || diff.verdict.code === "tool_gone"))
    return { headline: diffHeadline(diff.verdict, noun), detail: say`${capitalised(unknown)}.` };
  if (card === undefined || card.change.code === "path") return undefined;
  return { headline: unknown, detail: say`${capitalised(cardTitle(card))}: ${cardRuns(card)}.` };
}

/** "Blocked", "Would block" and so on, before the sentence; undefined for a pass. */
export function statusWord(report: GateReport): string | undefined {
  switch (report.status) {
    case "blocked":
      return "Blocked";
    case "warned":
      return report.gate.reasons.length > 0 ? "Would block" : "Look at this";
    case "not_evaluated":
      return "Not evaluated";
    case "passed":
      return undefined;
  }
}

export function markOfGate({ status }: GateReport): Mark {
  return status === "blocked" ? "failed" : markOf(status);
}

export function markOf(status: CheckStatus): Mark {
  switch (status) {
    case "passed":
      return "passed";
    case "warned":
      return "warning";
    case "failed":
      return "failed";
    case "not_evaluated":
    case "idle":
      return "unknown";
  }
}

/** `1 rule broken, 4 turns differ, 1 unknown path` */
export function reasonsSentence(report: GateReport): string {
  const { policy, diff, baseline, trajectory, cohort, earlyStop } = report.reports;
  const { reasons } = report.gate;
  const of = (code: string) => reasons.filter((reason) => reason.code === code).length;
  const parts: string[] = [];
  const rules = of("policy_violation") + of("policy_regression");
  if (policy !== undefined && rules > 0) parts.push(`${count(rules, "rule")} broken`);
  if (diff !== undefined && of("structure") > 0) parts.push(`${count(diff.structure.changed, "turn")} differ`);
  const tools = of("new_tool");
  if (tools > 0) parts.push(count(tools, "new tool"));
  // That the calls of some turns differ is said already where the turns are counted.
  const axes = reasons
    .filter(({ code, subject }) => code === "axis" && !(subject === "trajectory" && of("structure") > 0))
    .map((reason) => reason.subject);
  if (axes.length > 0) parts.push(`${list(axes)} moved`);
  if (cohort?.gate.tripped || earlyStop !== undefined) parts.push("the cohort changed");
  if (baseline?.gate.tripped) {
    const paths = new Set(
      baseline.agents.flatMap((agent) => agent.runs.filter((run) => run.status === "new").map((run) => run.hash)),
    ).size;
    parts.push(paths > 0 ? count(paths, "unknown path") : "the baseline");
  }
  if (trajectory?.gate.tripped) {
    const off = trajectory.results.filter((result) => result.status !== "passed").length;
    parts.push(`${count(off, report.noun)} off the expected path`);
  }
  return parts.join(", ");
}

/** Where a lens's finding begins: `ticket-1042 turn 2` or a fingerprint. */
export function beginsText({ begins }: LensResult): Text {
  if (begins === undefined) return [];
  if (begins.fingerprint !== undefined) return [link("paths", name(begins.fingerprint))];
  const turn = begins.turnIndex === undefined ? "" : ` turn ${begins.turnIndex + 1}`;
  return [link(turnAnchor(begins.key, begins.turnIndex), say`${name(begins.trace)}${turn}`)];
}
