/**
 * Whether a value that was read from a results file is a record, so far as anyone computes with it. What is there has the type it
 * should have; a line of which that is not true is no result, and is counted as such, whatever else is right in it.
 */
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";

type Check = (value: Json) => boolean;

export function isRunRecord(value: JsonObject): boolean {
  return has(value, RECORD, FURTHER);
}

const text: Check = (value) => typeof value === "string";
const number: Check = (value) => typeof value === "number" && Number.isFinite(value);
const flag: Check = (value) => typeof value === "boolean";
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Every member of `needed` is there and right; those of `further` are right where they are. */
function has(
  value: Json,
  needed: Readonly<Record<string, Check>>,
  further: Readonly<Record<string, Check>> = {},
): boolean {
  if (!isObject(value)) return false;
  for (const [key, check] of Object.entries(needed)) {
    const found = member(value, key);
    if (found === undefined || !check(found)) return false;
  }
  for (const [key, check] of Object.entries(further)) {
    const found = member(value, key);
    if (found !== undefined && !check(found)) return false;
  }
  return true;
}

const tokens: Check = (value) => has(value, { input: number, output: number }, { cached: number });
const usage: Check = (value) =>
  has(
    value,
    { questions: number },
    { token_usage: tokens, cost_usd: number, unpriced: number, cached_cost_usd: number },
  );
const counts: Check = (value) => isObject(value) && Object.values(value).every(number);

const summary: Check = (value) =>
  value === null ||
  has(
    value,
    { event_count: number, tool_names: listOf(text), tool_calls_by_name: counts, error_count: number },
    { llm_call_count: number, unknown_count: number, token_usage: tokens, cost_usd: number, duration_ms: number },
  );

const evaluator: Check = (value) =>
  has(
    value,
    { name: text, type: text, score: number },
    { weight: number, verdict: text, hits: listOf(text), misses: listOf(text) },
  );

const RECORD: Readonly<Record<string, Check>> = {
  ...{ eval_id: text, target: text, key: text, status: text },
  ...{ run: number, score: number, hits: listOf(text), misses: listOf(text), trace_summary: summary },
};

const FURTHER: Readonly<Record<string, Check>> = {
  ...{
    timestamp: text,
    dataset: text,
    eval_file: text,
    ended: text,
    verdict: text,
    candidate_answer: text,
    reasoning: text,
  },
  ...{ threshold: number, passed: flag, input_key: text, trace_file: text, trace_digest: text, conversation_id: text },
  ...{ evaluator_results: listOf(evaluator), token_usage: tokens, cost_usd: number, duration_ms: number },
  ...{ judge_usage: usage, user_usage: usage, earlier_cost_usd: number, problems: listOf(text) },
  limit: (value) => has(value, { kind: text }, { at: number }),
  from_cache: (value) => has(value, { requests: number }, { cost_usd: number }),
  retries: listOf((value) => has(value, { kind: text, message: text }, { cost_usd: number })),
  error: (value) => has(value, { kind: text, message: text }),
};
