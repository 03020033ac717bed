import { present } from "../trace/present.ts";
import type { Trace } from "../trace/trace.ts";
import type { Coverage, NotEvaluated } from "./report.ts";

/** Counts what was read and what was not, over any number of traces. */
export function coverageOf(traces: readonly Trace[], notEvaluated: readonly NotEvaluated[] = []): Coverage {
  return sumCoverage(traces.map(coverageOfTrace), notEvaluated);
}

/** The counts of several readings together. */
export function sumCoverage(parts: readonly Coverage[], notEvaluated: readonly NotEvaluated[] = []): Coverage {
  const sum = (count: (coverage: Coverage) => number | undefined) =>
    parts.reduce((total, part) => total + (count(part) ?? 0), 0);
  const some = (count: (coverage: Coverage) => number | undefined) => sum(count) || undefined;
  const unknown = new Map<string, number>();
  for (const part of parts)
    for (const [type, amount] of Object.entries(part.unknown)) unknown.set(type, (unknown.get(type) ?? 0) + amount);
  return present({
    traces: sum((part) => part.traces),
    turns: sum((part) => part.turns),
    toolCalls: sum((part) => part.toolCalls),
    callsWithoutResult: sum((part) => part.callsWithoutResult),
    unknown: Object.fromEntries(unknown),
    skippedLines: sum((part) => part.skippedLines),
    truncated: parts.flatMap((part) => part.truncated),
    unanswered: some((part) => part.unanswered),
    gaps: some((part) => part.gaps),
    torn: some((part) => part.torn),
    notNumbers: some((part) => part.notNumbers),
    told: some((part) => part.told),
    replayed: some((part) => part.replayed),
    standIns: some((part) => part.standIns),
    offPath: some((part) => part.offPath),
    takenOut: parts.some((part) => part.takenOut !== undefined)
      ? parts.flatMap((part) => part.takenOut ?? [])
      : undefined,
    notEvaluated: [...parts.flatMap((part) => part.notEvaluated), ...notEvaluated],
  });
}

function coverageOfTrace(trace: Trace): Coverage {
  const calls = { unknown: 0, told: 0, replayed: 0, standIns: 0 };
  for (const call of trace.toolCalls) {
    if (call.status === "unknown") calls.unknown++;
    if (call.evidence === "told") calls.told++;
    if (call.evidence === "replayed") calls.replayed++;
    if (call.evidence === "stand_in") calls.standIns++;
  }
  const { source, recording } = trace;
  return present({
    traces: 1,
    turns: trace.turns.length,
    toolCalls: trace.toolCalls.length,
    callsWithoutResult: calls.unknown,
    unknown: source.unknown ?? {},
    skippedLines: source.skippedLines ?? 0,
    truncated: source.truncated ? [source.path ?? trace.id] : [],
    unanswered: recording?.unanswered,
    gaps: recording?.gaps,
    torn: source.torn,
    notNumbers: source.notNumbers,
    told: calls.told,
    replayed: calls.replayed,
    standIns: calls.standIns,
    offPath: turnsOffPath(trace),
    notEvaluated: [],
  });
}

function turnsOffPath({ recording, turns }: Trace): number {
  return recording?.offPathFrom === undefined ? 0 : turns.length - recording.offPathFrom;
}
