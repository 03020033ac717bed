import type { Coverage } from "../report/report.ts";
import type { CohortResult } from "./cohort-report.ts";

/** What a report says of a comparison in a recorded world; nothing where all runs are live. */
export function recordedWorldOf(baseline: Coverage, candidate: Coverage): Pick<CohortResult, "recordedWorld"> {
  if (!isServed(baseline) && !isServed(candidate)) return {};
  return { recordedWorld: { baseline: shareOf(baseline), candidate: shareOf(candidate) } };
}

function isServed({ replayed = 0, standIns = 0 }: Coverage): boolean {
  return replayed + standIns > 0;
}

function shareOf({ turns, offPath = 0 }: Coverage): { turns: number; offPath: number } {
  return { turns, offPath };
}
