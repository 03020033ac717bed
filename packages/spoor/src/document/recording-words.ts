import type { Coverage } from "@spoor/core/internal/report/report";
import { count } from "./words.ts";

/** ` (off the recorded path from turn 4)`; empty for what happened before. Turns are numbered from 0, as everywhere but in words. */
export function offPathSuffix(from: number | undefined, turnIndex: number | null | undefined): string {
  if (from === undefined || (typeof turnIndex === "number" && turnIndex < from)) return "";
  return ` (off the recorded path from turn ${from + 1})`;
}

/** What a recording could not see, or a replay made up: a phrase for each count that is not 0. */
export function recordingWords(coverage: Coverage): string[] {
  const { unanswered = 0, gaps = 0, torn = 0, notNumbers = 0 } = coverage;
  const { told = 0, replayed = 0, standIns = 0, offPath = 0 } = coverage;
  const words: [number, string][] = [
    [unanswered, `${count(unanswered, "request")} without an answer`],
    [gaps, `${count(gaps, "gap")} in the recording`],
    [torn, `${count(torn, "last line")} broken off and dropped`],
    [notNumbers, `${count(notNumbers, "figure")} written as NaN or Infinity and read as absent`],
    [told, `${count(told, "result")} known only from the next request`],
    [replayed, `${count(replayed, "result")} replayed`],
    [standIns, `${count(standIns, "result")} stood in for by the replay`],
    [offPath, `${count(offPath, "turn")} off the recorded path`],
  ];
  return words.filter(([amount]) => amount > 0).map(([, phrase]) => phrase);
}
