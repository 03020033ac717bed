/** The numbers of one trace, for its headline and for JSON. */
import type { Json, Trace } from "@spoor/core";

/** A trace's numbers for JSON output of `show`. */
export function traceFacts(trace: Trace): Record<string, Json> {
  const elapsed = elapsedMs(trace);
  const used = totalTokens(trace);
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
    ...(used === undefined ? {} : { tokens: used }),
    timeline: trace.turns.map((turn) => ({
      turnIndex: turn.index,
      sessionIndex: turn.sessionIndex,
      ...(turn.agent === undefined ? {} : { agent: turn.agent }),
      ...(turn.durationMs === undefined ? {} : { durationMs: turn.durationMs }),
      ...(turn.usage?.outputTokens === undefined ? {} : { outputTokens: turn.usage.outputTokens }),
      stopReason: turn.stopReason ?? null,
      text: turn.text,
      toolCalls: turn.toolCalls.map((call) => ({
        ...(call.id === undefined ? {} : { id: call.id }),
        name: call.name,
        ...(call.input === undefined ? {} : { input: call.input }),
        ...(call.output === undefined ? {} : { output: call.output }),
        status: call.status,
        ...(call.evidence === undefined ? {} : { evidence: call.evidence }),
        ...(call.standIn === undefined ? {} : { standIn: call.standIn }),
        ...(call.durationMs === undefined ? {} : { durationMs: call.durationMs }),
        ...(call.parallelGroup === undefined ? {} : { parallelGroup: call.parallelGroup }),
      })),
    })),
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

/** Input and output tokens of all turns; undefined when no turn recorded any. */
export function totalTokens(trace: Trace): number | undefined {
  let total: number | undefined;
  for (const step of trace.steps) {
    if (step.inputTokens === undefined && step.outputTokens === undefined) continue;
    total = (total ?? 0) + (step.inputTokens ?? 0) + (step.outputTokens ?? 0);
  }
  return total;
}
