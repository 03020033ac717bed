/** What a run has cost altogether: the agent, attempts that were thrown away, its judges, and who played its user; what came from a cache cost nothing. */
import type { RunRecord } from "./run-record.ts";

/** Undefined when nobody says what the agent's part cost. */
export function spentOn(record: RunRecord): number | undefined {
  const {
    cost_usd: own,
    retries = [],
    judge_usage: judging,
    user_usage: playing,
    from_cache: cached,
    earlier_cost_usd: earlier = 0,
  } = record;
  const wasted = retries.reduce((sum, retry) => sum + (retry.cost_usd ?? 0), 0);
  const saved = (cached?.cost_usd ?? 0) + (judging?.cached_cost_usd ?? 0) + (playing?.cached_cost_usd ?? 0);
  const others = (judging?.cost_usd ?? 0) + (playing?.cost_usd ?? 0);
  const isUnknown = own === undefined && record.status !== "outage";
  return isUnknown ? undefined : Math.max(0, (own ?? 0) + wasted + others - saved) + earlier;
}
