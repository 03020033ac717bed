/** The few numbers that a gate's page shows beside its verdict. */
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { Fact } from "../../document/document.ts";
import { link, styled } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { diffFacts } from "../diff/first-screen.ts";

export function gateFacts(report: GateReport): Fact[] {
  const { diff, policy, baseline, trajectory, cohort, earlyStop } = report.reports;
  const [turns, ...wentIn] = diff === undefined ? [] : diffFacts(diff);
  const facts: Fact[] = turns === undefined ? [] : [turns];
  if (policy !== undefined) {
    const { violations } = policy.totals;
    const errors = violations.severe;
    facts.push({
      label: "Rules",
      text:
        errors > 0
          ? [styled("bad", [link("rules", count(errors, "violation"))])]
          : [link("rules", `${count(policy.rules.length, "rule")} checked`)],
      note: violations.moderate > 0 ? [`and ${count(violations.moderate, "warning")}`] : [],
    });
  }
  if (baseline !== undefined) {
    const { totalTraces, passed } = baseline.summary;
    facts.push({ label: "On a known path", text: [link("paths", `${passed} of ${count(totalTraces, "run")}`)] });
  }
  if (trajectory !== undefined) {
    const passed = trajectory.results.filter((result) => result.status === "passed").length;
    facts.push({ label: "Expected path", text: [`${passed} of ${trajectory.results.length} pass`] });
  }
  if (cohort !== undefined) facts.push({ label: "Cohort", text: [cohort.verdict.replaceAll("_", " ")] });
  if (earlyStop !== undefined)
    facts.push({
      label: "Stopped early",
      text: [styled("bad", "changed")],
      note: [`after ${earlyStop.stoppedAfter} of ${count(earlyStop.plannedPairs, "pair")}`],
    });
  return [...facts, ...wentIn];
}
