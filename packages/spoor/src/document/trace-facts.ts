/** The numbers of one trace, for its headline and for JSON. */
import type { Json, ToolCall, Trace } from "@spoor/core";

/** A trace's numbers for JSON output of `show`. */
export function traceFacts(trace: Trace): Record<string, Json> {
  const elapsed = elapsedMs(trace);
  // All there is of an agent of which only the tools were watched.
  const early = trace.toolCalls.filter((call) => call.turnIndex < 0);
  const used = usedTokens(trace);
  return {
    id: trace.id,
    key: trace.key,
    name: trace.name,
    ...(trace.agent === undefined ? {} : { agent: trace.agent }),
    ...(trace.scenario === undefined ? {} : { scenario: trace.scenario }),
    ...(trace.source.entry === undefined ? {} : { entry: trace.source.entry }),
    ...(trace.recording?.replayed === undefined ? {} : { replayed: { ...trace.recording.replayed } }),
    ...(trace.recording?.offPathFrom === undefined ? {} : { offPathFrom: trace.recording.offPathFrom }),
    turns: trace.turns.length,
    toolCalls: trace.toolCalls.length,
    failedCalls: trace.toolCalls.filter((call) => call.status === "error").length,
    sessions: trace.sessions.length,
    ...(elapsed === undefined ? {} : { elapsedMs: elapsed }),
    ...(used === undefined ? {} : { tokens: used.total }),
    ...(used?.cached ? { cachedTokens: used.cached } : {}),
    ...(used?.reasoning ? { reasoningTokens: used.reasoning } : {}),
    ...(early.length === 0 ? {} : { callsBeforeTurns: early.map(callFacts) }),
    timeline: trace.turns.map((turn) => ({
      turnIndex: turn.index,
      sessionIndex: turn.sessionIndex,
      ...(turn.agent === undefined ? {} : { agent: turn.agent }),
      ...(turn.durationMs === undefined ? {} : { durationMs: turn.durationMs }),
      ...(turn.usage?.outputTokens === undefined ? {} : { outputTokens: turn.usage.outputTokens }),
      stopReason: turn.stopReason ?? null,
      text: turn.text,
      toolCalls: turn.toolCalls.map(callFacts),
    })),
  };
}

function callFacts(call: ToolCall): Record<string, Json> {
  return {
    ...(call.id === undefined ? {} : { id: call.id }),
    name: call.name,
    ...(call.input === undefined ? {} : { input: call.input }),
    ...(call.output === undefined ? {} : { output: call.output }),
    status: call.status,
    ...(call.evidence === undefined ? {} : { evidence: call.evidence }),
    ...(call.standIn === undefined ? {} : { standIn: call.standIn }),
    ...(call.durationMs === undefined ? {} : { durationMs: call.durationMs }),
    ...(call.parallelGroup === undefined ? {} : { parallelGroup: call.parallelGroup }),
  };
}

/** First to last clock reading; undefined when the source had no clock. */
export function elapsedMs(trace: Trace): number | undefined {
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
export function usedTokens(trace: Trace): UsedTokens | undefined {
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
