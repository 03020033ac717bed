/** Counts over the tool calls of a run. Tool names are data: `constructor` and `__proto__` count like any other. */
import { type Json, setMember } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import type { TraceSummary } from "./run-record.ts";

export interface RunMetrics {
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly costUsd?: number;
  readonly durationMs?: number;
  readonly llmCalls?: number;
}

export function summariseTrace(calls: readonly ToolCall[], metrics: RunMetrics = {}): TraceSummary {
  const counts = new Map<string, number>();
  const durations = new Map<string, number[]>();
  let errors = 0;
  let unknown = 0;
  let replayed = 0;
  let standIns = 0;
  let refused = 0;
  for (const { name, status, durationMs, evidence, standIn } of calls) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (status === "error") errors++;
    if (status === "unknown") unknown++;
    if (evidence === "replayed") replayed++;
    if (evidence === "stand_in") standIns++;
    if (standIn === "refused") refused++;
    if (durationMs === undefined) continue;
    const known = durations.get(name);
    if (known === undefined) durations.set(name, [durationMs]);
    else known.push(durationMs);
  }
  const byName: Record<string, Json> = {};
  for (const [name, count] of counts) setMember(byName, name, count);
  const times: Record<string, Json> = {};
  for (const [name, list] of durations) setMember(times, name, list);
  return {
    event_count: calls.length,
    tool_names: [...counts.keys()].sort(compareCodeUnits),
    tool_calls_by_name: byName as Record<string, number>,
    error_count: errors,
    llm_call_count: metrics.llmCalls ?? 0,
    unknown_count: unknown,
    ...(replayed === 0 ? {} : { replayed_count: replayed }),
    ...(standIns === 0 ? {} : { stand_in_count: standIns }),
    ...(refused === 0 ? {} : { refused_count: refused }),
    ...(durations.size === 0 ? {} : { tool_durations: times as unknown as Record<string, readonly number[]> }),
    ...(metrics.usage === undefined ? {} : { token_usage: metrics.usage }),
    ...(metrics.costUsd === undefined ? {} : { cost_usd: metrics.costUsd }),
    ...(metrics.durationMs === undefined ? {} : { duration_ms: metrics.durationMs }),
  };
}

function compareCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
