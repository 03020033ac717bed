import type { Trace } from "../trace/trace.ts";
import type { Coverage, NotEvaluated } from "./report.ts";

/** Counts what was read and what was not, over any number of traces. */
export function coverageOf(traces: readonly Trace[], notEvaluated: readonly NotEvaluated[] = []): Coverage {
  let turns = 0;
  let toolCalls = 0;
  let callsWithoutResult = 0;
  let skippedLines = 0;
  const unknown = new Map<string, number>();
  const truncated: string[] = [];
  for (const trace of traces) {
    turns += trace.turns.length;
    toolCalls += trace.toolCalls.length;
    for (const call of trace.toolCalls) if (call.status === "unknown") callsWithoutResult++;
    skippedLines += trace.source.skippedLines ?? 0;
    if (trace.source.truncated) truncated.push(trace.source.path ?? trace.id);
    for (const [type, amount] of Object.entries(trace.source.unknown ?? {})) {
      unknown.set(type, (unknown.get(type) ?? 0) + amount);
    }
  }
  return {
    traces: traces.length,
    turns,
    toolCalls,
    callsWithoutResult,
    unknown: Object.fromEntries(unknown),
    skippedLines,
    truncated,
    notEvaluated,
  };
}
