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
  const path = (role: "baseline" | "candidate") => report.inputs.find((input) => input.role === role)?.path;
  const [baseline, candidate] = [path("baseline"), path("candidate")];
  if (report.matching.pairs < ENOUGH_PAIRS || baseline === undefined || candidate === undefined) return undefined;
  return `spoor cohort ${shellWord(baseline)} ${shellWord(candidate)}`;
}
