/** What a diff of two folders leads with: all runs together, judged against the agent's own noise. */
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { Mark, Verdict } from "../../document/document.ts";
import { command, say, sentences } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { cohortVerdict } from "../cohort/headline.ts";
import { markOfDiff } from "./mark.ts";
import { cohortCommand } from "./next-command.ts";

/** Undefined where the runs are too few to tell a change from noise at all. */
export function cohortLead(report: DiffReport): Verdict | undefined {
  const { cohort } = report;
  if (cohort === undefined) return undefined;
  const { runsBaseline, runsCandidate } = cohort.cohort;
  const runs = `${runsBaseline} and ${count(runsCandidate, "run")}`;
  const way = cohortCommand(report);
  // No full stop after a command: it is there to be copied.
  const onward = way === undefined ? ["."] : say`: ${command(way)}`;
  const basis = say`${runs} together, against the agent's own noise${onward}`;
  const { kind, word, headline, detail } = cohortVerdict(cohort);
  return { kind, mark: markOfLead(report), word, headline, detail: sentences(detail, basis) };
}

/** As every mark of a diff it says what the exit code says: only a gate that tripped fails, and too little evidence never passes. */
function markOfLead(report: DiffReport): Mark {
  const mark = markOfDiff(report);
  const { verdict } = report.cohort!;
  if (mark === "unknown" || (mark === "failed" && verdict === "changed")) return mark;
  return verdict === "unchanged" ? "passed" : "warning";
}
