/**
 * Calls that one response asks for count as side by side: whoever asks for several at once leaves their order open. Where
 * the clocks of all of them show that each had ended when the next began, they ran one after the other, as listed.
 */
import type { ToolCall } from "./trace.ts";

/** Starts closer than this are together for any clock in use: below it a sequence would be a toss of the scheduler. */
const TOGETHER_MS = 10;

type Clocked = Pick<ToolCall, "startedAt" | "durationMs">;

/** Whether every call has both clocks and no two of them overlap. */
export function ranInSequence(calls: readonly Clocked[]): boolean {
  // Nearly never have all of them both, and then no clock has to be read.
  for (const { startedAt, durationMs } of calls) if (startedAt === undefined || durationMs === undefined) return false;
  const spans = calls.map(spanOf);
  if (!spans.every((span) => span !== undefined)) return false;
  const byStart = spans.toSorted((left, right) => left.start - right.start);
  return byStart.every((span, index) => {
    const before = byStart[index - 1];
    return before === undefined || span.start >= Math.max(before.end, before.start + TOGETHER_MS);
  });
}

function spanOf({ startedAt, durationMs }: Clocked): { start: number; end: number } | undefined {
  const start = Date.parse(startedAt ?? "");
  if (Number.isNaN(start) || durationMs === undefined) return undefined;
  return { start, end: start + durationMs };
}
