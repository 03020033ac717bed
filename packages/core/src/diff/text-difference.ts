/** Where two texts first differ, by line. Ids, times and hidden values are no difference. */
import { sinceDifference } from "../text/since-difference.ts";
import { isSameButVolatile } from "../text/volatile.ts";

export interface LineDifference {
  /** Counts from 1: where the line stands in the candidate, or stood in the baseline. */
  readonly line: number;
  /** Absent on the side that does not have the line. A long line is shown from near its first difference on. */
  readonly baseline?: string;
  readonly candidate?: string;
}

const SHOWN = 160;

/** Undefined when nothing but ids, times and hidden values differs. Linear in the texts. */
export function firstLineDifference(before: string, after: string): LineDifference | undefined {
  if (before === after) return undefined;
  const left = splitLines(before);
  const right = splitLines(after);
  const length = Math.max(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left[at];
    const other = right[at];
    if (one === other || (one !== undefined && other !== undefined && isSameButVolatile(one, other))) continue;
    const line = at + 1;
    if (one === undefined) return { line, candidate: excerpt(other!, "") };
    if (other === undefined) return { line, baseline: excerpt(one, "") };
    const comesLater = right.indexOf(one, at) >= 0;
    const wasEarlier = left.indexOf(other, at) >= 0;
    if (comesLater && !wasEarlier) return { line, candidate: excerpt(other, "") };
    if (wasEarlier && !comesLater) return { line, baseline: excerpt(one, "") };
    return { line, baseline: excerpt(one, other), candidate: excerpt(other, one) };
  }
  return undefined;
}

export function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/\r\n|\n|\r/);
}

function excerpt(line: string, other: string): string {
  const shown = sinceDifference(line, other, SHOWN);
  return shown.length <= SHOWN ? shown : `${shown.slice(0, SHOWN - 1).toWellFormed()}…`;
}
