import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { totalTokens } from "@spoor/core/internal/evals/total-tokens";
import type { PlannedRun } from "./plan-runs.ts";
import { passedLimit } from "./run-meter.ts";

/**
 * Whether a stored run would have gone the same way under the limits of today: one that a limit ended, only at that very limit; one that
 * ended by itself, while it stays within them. So a longer `--timeout` makes again what the shorter one ended, and nothing else.
 */
export function holdsUnder(record: RunRecord, run: Pick<PlannedRun, "limits" | "timeoutMs" | "target">): boolean {
  const { limit, token_usage: usage, cost_usd: costUsd, duration_ms: durationMs, trace_summary: summary } = record;
  const set = { ...run.target.provider.limits, ...run.limits };
  if (limit !== undefined) {
    const now = limit.kind === "timeout" ? run.timeoutMs / 1000 : limit.kind === "cost" ? set.costUsd : set[limit.kind];
    return limit.at === undefined || limit.at === now;
  }
  if (record.ended !== "answered") return true;
  const tokens = usage === undefined ? undefined : totalTokens(usage);
  const passed = passedLimit({ turns: summary?.llm_call_count, tokens, costUsd }, run.limits ?? {});
  return passed === undefined && (durationMs === undefined || durationMs <= run.timeoutMs);
}
