/** The numbers of one trace, for its headline and for JSON. */
import type { Json, ToolCall, Trace } from "@spoor/core";
import type { TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import { elapsedMs, usedTokens } from "@spoor/core/internal/report/trace-totals";

/** A trace's numbers for JSON output of `show`. */
export function traceFacts(trace: Trace, findings?: TraceFindings): Record<string, Json> {
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
    ...(findings === undefined || findings.whole.length === 0
      ? {}
      : { findings: findings.whole.map((found) => ({ ...found })) }),
    timeline: trace.turns.map((turn) => ({
      turnIndex: turn.index,
      sessionIndex: turn.sessionIndex,
      ...(turn.agent === undefined ? {} : { agent: turn.agent }),
      ...(turn.durationMs === undefined ? {} : { durationMs: turn.durationMs }),
      ...(turn.usage?.outputTokens === undefined ? {} : { outputTokens: turn.usage.outputTokens }),
      stopReason: turn.stopReason ?? null,
      text: turn.text,
      toolCalls: turn.toolCalls.map(callFacts),
      ...(findings?.turns.has(turn.index)
        ? { findings: findings.turns.get(turn.index)!.map((found) => ({ ...found })) }
        : {}),
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
