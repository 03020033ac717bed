import type { DiffReport } from "@spoor/core/diff/diff-report";
import { shellWord } from "../text/shell-word.ts";

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
