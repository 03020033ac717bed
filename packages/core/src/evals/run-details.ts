/** What a page shows of one run: the evaluators with what they missed, what the agent did and said. Cut where it is long. */

import { isObject, type Json, member, numberMember, stringifyJson, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { statusOfVerdict } from "./agentv-verdict.ts";
import type { RunRecord } from "./run-record.ts";
import { totalTokens } from "./total-tokens.ts";

export interface RunDetails {
  readonly evaluators: readonly EvaluatorDetails[];
  /** Absent when no trace was kept. */
  readonly steps?: readonly RunStep[];
  /** Steps beyond those that are listed. */
  readonly moreSteps?: number;
  readonly answer: string;
  readonly durationMs?: number;
  readonly costUsd?: number;
  readonly tokens?: number;
}

export interface EvaluatorDetails {
  readonly name: string;
  readonly score: number;
  readonly passed: boolean;
  readonly evaluated: boolean;
  readonly misses: readonly string[];
  readonly reasoning?: string;
}

/** Something the agent said, or a tool it called. */
export interface RunStep {
  readonly said?: string;
  readonly tool?: string;
  readonly input?: Json;
  readonly output?: string;
  readonly failed?: true;
  readonly durationMs?: number;
}

const MOST_STEPS = 100;
const MOST_MISSES = 10;
const MOST_TEXT = 2000;

/** `messages`: what the agent did, as the results file has it with `--include-trace`. */
export function runDetails(record: RunRecord, messages: readonly Json[] | null | undefined): RunDetails {
  const steps = messages === null || messages === undefined ? undefined : messages.flatMap(stepsOf);
  const { token_usage: usage } = record;
  return present({
    evaluators: (record.evaluator_results ?? []).map(({ name, score, verdict, misses, reasoning }) => {
      const status = statusOfVerdict(verdict);
      return present({
        name,
        score,
        passed: status === "passed",
        evaluated: status !== "not_evaluated",
        misses: misses.slice(0, MOST_MISSES).map(cut),
        reasoning: reasoning === undefined ? undefined : cut(reasoning),
      });
    }),
    steps: steps?.slice(0, MOST_STEPS),
    moreSteps: steps === undefined || steps.length <= MOST_STEPS ? undefined : steps.length - MOST_STEPS,
    answer: cut(record.candidate_answer),
    durationMs: record.duration_ms,
    costUsd: record.cost_usd,
    tokens: usage === undefined ? undefined : totalTokens(usage),
  });
}

function stepsOf(message: Json): RunStep[] {
  const calls = member(message, "tool_calls");
  const content = member(message, "content");
  const said = typeof content === "string" && content.trim() !== "" ? [{ said: cut(content) }] : [];
  return [...said, ...(Array.isArray(calls) ? (calls as readonly Json[]) : []).map(callStep)];
}

function callStep(call: Json): RunStep {
  const output = member(call, "output");
  const input = member(call, "input");
  return present({
    tool: stringMember(call, "tool") ?? "",
    input: input === undefined ? undefined : cutValues(input),
    output:
      output === undefined || output === null
        ? undefined
        : cut(typeof output === "string" ? output : stringifyJson(output)),
    failed: stringMember(call, "status") === "error" ? (true as const) : undefined,
    durationMs: numberMember(call, "duration_ms"),
  });
}

function cutValues(value: Json): Json {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) return value.slice(0, MOST_STEPS).map(cutValues);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutValues(item)]));
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)} …`;
}
