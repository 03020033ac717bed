import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { shellWord } from "../../document/shell-word.ts";

/** The command that shows where it begins; undefined when there is nothing to look at. */
export function nextCommand(report: DiffReport): string | undefined {
  const first = report.firstAction ?? report.firstDivergence;
  const trace = first === null ? undefined : report.traces[first.traceIndex];
  if (first === null || trace === undefined) return undefined;
  // A turn that the candidate does not have is shown by what stands in its place, or in the baseline when nothing does.
  const inCandidate = first.candidateTurn < trace.candidate.turns;
  const side = inCandidate ? trace.candidate : trace.baseline;
  const turn = inCandidate ? first.candidateTurn : first.baselineTurn;
  if (side.path === undefined || side.path === "-") return undefined;
  const entry = side.entry === undefined ? "" : ` --trace ${shellWord(side.entry)}`;
  return `spoor show ${shellWord(side.path)}${entry} --turn ${turn + 1}`;
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
