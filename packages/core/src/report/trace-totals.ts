/** The numbers of one whole trace. */
import type { Trace } from "../trace/trace.ts";

/** First to last clock reading; undefined when the source had no clock. */
export function elapsedMs(trace: Pick<Trace, "records">): number | undefined {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const record of trace.records) {
    const time = record.ts ? Date.parse(record.ts) : Number.NaN;
    if (Number.isNaN(time)) continue;
    if (time < first) first = time;
    if (time > last) last = time;
  }
  return last > first ? last - first : undefined;
}

export interface UsedTokens {
  /** Everything that went in and came out. */
  readonly total: number;
  /** Of these, input that was read from a cache or written to one, and what was thought. */
  readonly cached: number;
  readonly reasoning: number;
}

/** Undefined when no turn recorded any. */
export function usedTokens(trace: Pick<Trace, "steps" | "turns">): UsedTokens | undefined {
  let counted = false;
  let plain = 0;
  for (const { inputTokens, outputTokens } of trace.steps) {
    if (inputTokens === undefined && outputTokens === undefined) continue;
    counted = true;
    plain += (inputTokens ?? 0) + (outputTokens ?? 0);
  }
  let cached = 0;
  let reasoning = 0;
  for (const { usage } of trace.turns) {
    if (usage === undefined) continue;
    cached += (usage.cachedInputTokens ?? 0) + (usage.cachedWrite5mTokens ?? 0) + (usage.cachedWrite1hTokens ?? 0);
    reasoning += usage.thinkingTokens ?? 0;
  }
  return counted || cached + reasoning > 0 ? { total: plain + cached + reasoning, cached, reasoning } : undefined;
}
