/**
 * One run of one case as it stands in a results file: one JSON object per line, in the spelling of AgentV's result files,
 * so that tools that read those read these. Keys below `input`, `output` and the count maps are the user's own words and
 * are never rewritten.
 */
import type { Json } from "../trace/json.ts";
import type { ReachedLimit, RunEnding, RunStatus } from "./run-ending.ts";

export type RunRecord = {
  readonly schema: "spoor.eval-run/1";
  readonly timestamp: string;
  readonly eval_id: string;
  /** Name of the suite. */
  readonly dataset: string;
  readonly eval_file: string;
  readonly target: string;
  /** Which repetition, from 1. */
  readonly run: number;
  /** Identifies case, target and their settings: a record counts for a resumed run only while this is the same. */
  readonly key: string;
  /** Identifies what the agent was given: a stored trace may be graded again only while this is the same. */
  readonly input_key?: string;
  /** With `--dump-traces`: where the trace was written, and a digest of it, so that another one is not taken for it. */
  readonly trace_file?: string;
  readonly trace_digest?: string;
  /** `outage`: the run says nothing about the agent and counts nowhere. */
  readonly status: RunStatus;
  /** The status is `passed`. */
  readonly passed: boolean;
  /** How the agent's part ended. What it did until then is in the trace, and scored, however it ended. */
  readonly ended: RunEnding;
  /** Which limit, when one ended the run. */
  readonly limit?: ReachedLimit;
  readonly score: number;
  readonly threshold: number;
  readonly verdict: string;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  readonly candidate_answer: string;
  readonly reasoning?: string;
  readonly evaluator_results?: readonly EvaluatorRecord[];
  readonly conversation_id?: string;
  /** Null when the provider gave no trace at all. */
  readonly trace_summary: TraceSummary | null;
  /** With `--include-trace`. */
  readonly output_messages?: readonly Json[] | null;
  readonly token_usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly cost_usd?: number;
  readonly duration_ms?: number;
  /** What its judges were asked, and what that took. */
  readonly judge_usage?: JudgeUsage;
  /** The same of the model that played the user of a conversation; the agent's figures leave it out. */
  readonly user_usage?: JudgeUsage;
  /** Requests of the agent that the cache answered, and what they would have cost. */
  readonly from_cache?: { readonly requests: number; readonly cost_usd?: number };
  /** What runs in this place cost before, that were made again. */
  readonly earlier_cost_usd?: number;
  /** Attempts before the one that counts, each with its reason. */
  readonly retries?: readonly RetryRecord[];
  /** What could not be used of the provider's output, and what could not be checked. */
  readonly problems?: readonly string[];
  /** Why the agent broke down (`failed`), or what was out (`outage`). */
  readonly error?: { readonly kind: string; readonly message: string };
};

export type JudgeUsage = {
  readonly questions: number;
  readonly token_usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly cost_usd?: number;
  /** Answers of which nobody knows what they cost. */
  readonly unpriced?: number;
  /** Answers that the cache gave, and what they would have cost. */
  readonly from_cache?: number;
  readonly cached_cost_usd?: number;
};

export type EvaluatorRecord = {
  readonly name: string;
  readonly type: string;
  readonly score: number;
  readonly weight: number;
  readonly verdict: string;
  readonly hits: readonly string[];
  readonly misses: readonly string[];
  /** The run never passes for it, whatever the scores. */
  readonly ruled_out?: true;
  readonly reasoning?: string;
  readonly details?: Json;
};

export type RetryRecord = {
  readonly kind: string;
  readonly message: string;
  /** What the attempt cost, where that is known; the run's own cost leaves it out. */
  readonly cost_usd?: number;
};

/** What a run did, in counts. */
export type TraceSummary = {
  readonly event_count: number;
  readonly tool_names: readonly string[];
  readonly tool_calls_by_name: { readonly [tool: string]: number };
  readonly error_count: number;
  /** Turns of the model. */
  readonly llm_call_count: number;
  /** Calls whose result was not recorded. */
  readonly unknown_count: number;
  /** Calls that recordings answered with their own result, and calls for which another stood in, or none. */
  readonly replayed_count?: number;
  readonly stand_in_count?: number;
  /** Of the latter, those for which there was none. */
  readonly refused_count?: number;
  readonly tool_durations?: { readonly [tool: string]: readonly number[] };
  readonly token_usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly cost_usd?: number;
  readonly duration_ms?: number;
};
