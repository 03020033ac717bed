import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { firstPlace } from "@spoor/core/internal/diff/first-place";
import { shellWord } from "../../document/shell-word.ts";
import { showCommand } from "../places.ts";

/** The command that shows where it begins; undefined when there is nothing to look at. */
export function nextCommand(report: DiffReport): string | undefined {
  const first = firstPlace(report);
  if (first !== undefined) return showCommand({ ...first.trace, turnIndex: first.turnIndex });
  const tool = report.newTools[0]?.places[0];
  if (tool !== undefined) return showCommand(tool);
  const finding = report.policy?.regressions[0];
  const pair = finding && report.traces.find(({ candidate }) => candidate.key === finding.key);
  return pair && showCommand({ ...pair.candidate, turnIndex: finding.turnIndex });
}

/** From this many pairs of traces on, the runs together can tell a change from the agent's own noise. */
const ENOUGH_PAIRS = 6;

/** Asks "changed, or noise?" of all runs together; undefined when there are too few traces to ask it. */
export function cohortCommand(report: DiffReport): string | undefined {
  const paths = (role: "baseline" | "candidate") => report.inputs.filter((input) => input.role === role);
  const [baseline, candidate] = [paths("baseline"), paths("candidate")];
  const isEnough = report.cohort !== undefined || report.matching.pairs >= ENOUGH_PAIRS;
  if (!isEnough || baseline.length === 0 || candidate.length === 0) return undefined;
  // Several paths of one side can only stand in a configuration, which is asked when none is named.
  if (baseline.length > 1 || candidate.length > 1) return "spoor cohort";
  return `spoor cohort ${shellWord(baseline[0]!.path)} ${shellWord(candidate[0]!.path)}`;
}
