/**
 * code_judge: any command decides. It reads the case and the run as JSON on standard input and writes
 * `{score, hits?, misses?, assertions?, reasoning?, details?}` as JSON on standard output. A command that fails, is ended
 * or answers anything else scores 0 with the reason; it never passes by accident.
 */

import { resolve } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { defineEvaluator } from "@spoor/core/internal/evaluators/define-evaluator";
import type { Check, EvaluationSubject, Outcome } from "@spoor/core/internal/evaluators/evaluation";
import { list, oneOf, record } from "@spoor/core/internal/read/collections";
import { ignored, optional, preset, required } from "@spoor/core/internal/read/field";
import { filledText, json, number, text } from "@spoor/core/internal/read/scalars";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { callsPerTool } from "@spoor/core/internal/trajectory/score-trajectory";
import { outputMessages } from "../../formats/write-agentv.ts";
import { ProviderError } from "../providers/provider.ts";
import { runProcess } from "../run-process.ts";
import type { EvaluatorRunContext } from "./run-context.ts";

interface CodeParams {
  /** Words of a program, or a line for the shell. */
  readonly command: string | readonly string[];
  readonly cwd?: string;
  readonly timeoutMs: number;
  /** Members of the entry that are the command's own settings. */
  readonly config: JsonObject;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const STDERR_SHOWN = 2000;

const fields = {
  command: required(oneOf(filledText, list(text, { min: 1 })), "a list of words, or a line for the shell", {
    alias: "script",
  }),
  cwd: optional(text, "where it runs; by default the folder of the file"),
  timeoutSeconds: preset(number({ above: 0 }), DEFAULT_TIMEOUT_MS / 1000, "how long it may take"),
  config: preset(record(json), {} as JsonObject, "settings of the command's own; further keys of the entry count too"),
  target: ignored("no proxy to the judge model is started for commands"),
};

export const codeEvaluator = defineEvaluator<typeof fields, CodeParams, EvaluatorRunContext>({
  type: "code_judge",
  aliases: ["code_grader", "code", "script", "command"],
  summary: "a command decides: the case and the run as JSON on standard input, a score as JSON on standard output",
  fields,
  options: { open: true },
  make: ({ command, cwd, timeoutSeconds, config }, _at, rest): CodeParams => ({
    command,
    ...(cwd === undefined ? {} : { cwd }),
    timeoutMs: timeoutSeconds * 1000,
    config: { ...rest, ...config },
  }),
  evaluate: runCode,
});

async function runCode(subject: EvaluationSubject, params: CodeParams, context: EvaluatorRunContext): Promise<Outcome> {
  const timeout = AbortSignal.timeout(params.timeoutMs);
  try {
    const result = await runProcess(params.command, {
      cwd: resolve(context.folder, params.cwd ?? "."),
      env: context.env,
      signal: AbortSignal.any([context.signal, timeout]),
      input: `${stringifyJson(codeInput(subject, params.config))}\n`,
    });
    if (result.exitCode === 0) return parseVerdict(result.stdout);
    const how = result.signal === null ? `exit code ${result.exitCode}` : `ended by ${result.signal}`;
    return failure(`${how}: ${result.stderr.trim().slice(-STDERR_SHOWN) || "no message on standard error"}`);
  } catch (error) {
    context.signal.throwIfAborted();
    if (timeout.aborted) return failure(`no answer within ${params.timeoutMs / 1000} s`);
    if (error instanceof ProviderError) return failure(error.message);
    throw error;
  }
}

/** What the command reads: the spelling of every release side by side. Keys of tools and arguments are never rewritten. */
export function codeInput(subject: EvaluationSubject, config: JsonObject): JsonObject {
  const { task } = subject;
  const messages: Json = outputMessages(subject.trace(), { withAsked: false });
  const input: Json = task.inputMessages ?? [];
  const expected: Json = task.expectedMessages ?? [];
  return {
    question: task.question ?? "",
    expected_outcome: task.expectedOutcome ?? "",
    criteria: task.expectedOutcome ?? "",
    reference_answer: task.referenceAnswer ?? "",
    candidate_answer: subject.answer,
    input_messages: input,
    input,
    expected_messages: expected,
    expected_output: expected,
    output_messages: messages,
    output: messages,
    guideline_files: [],
    input_files: [],
    trace_summary: traceSummary(subject),
    ...(subject.tokenUsage === undefined ? {} : { token_usage: { ...subject.tokenUsage } }),
    ...(subject.costUsd === undefined ? {} : { cost_usd: subject.costUsd }),
    ...(subject.durationMs === undefined ? {} : { duration_ms: subject.durationMs }),
    config,
  };
}

/** Counts by tool name, names as they are. */
export function traceSummary(subject: EvaluationSubject): JsonObject | null {
  if (!subject.hasTrace) return null;
  const counts =
    subject.toolCalls.length > 0 ? callsPerTool(subject.toolCalls) : (subject.toolCounts ?? new Map<string, number>());
  const errors = subject.toolCalls.filter((call) => call.status === "error").length;
  return {
    event_count: [...counts.values()].reduce((sum, count) => sum + count, 0),
    tool_names: [...counts.keys()].sort(),
    tool_calls_by_name: Object.fromEntries(counts),
    error_count: errors,
    ...(subject.llmCalls === undefined ? {} : { llm_call_count: subject.llmCalls }),
    ...(subject.tokenUsage === undefined ? {} : { token_usage: { ...subject.tokenUsage } }),
    ...(subject.costUsd === undefined ? {} : { cost_usd: subject.costUsd }),
    ...(subject.durationMs === undefined ? {} : { duration_ms: subject.durationMs }),
  };
}

function parseVerdict(text: string): Outcome {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return failure(`standard output is not JSON: ${text.trim().slice(0, 200) || "it is empty"}`);
  }
  const score = numberMember(value, "score");
  if (!isObject(value) || score === undefined) return failure('standard output has no number "score"');
  const checks = [
    ...texts(value, "hits").map((line): Check => ({ passed: true, text: line })),
    ...texts(value, "misses").map((line): Check => ({ passed: false, text: line })),
    ...assertions(value),
  ];
  const reasoning = stringMember(value, "reasoning");
  const details = member(value, "details");
  return {
    score: Math.min(1, Math.max(0, score)),
    aspects: Math.max(1, checks.length),
    checks,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(details === undefined ? {} : { details }),
  };
}

function texts(value: JsonObject, key: string): string[] {
  const list = member(value, key);
  return Array.isArray(list)
    ? (list as readonly Json[]).filter((item): item is string => typeof item === "string")
    : [];
}

function assertions(value: JsonObject): Check[] {
  const list = member(value, "assertions");
  if (!Array.isArray(list)) return [];
  return (list as readonly Json[]).flatMap((item) => {
    const text = stringMember(item, "text");
    return text === undefined ? [] : [{ passed: member(item, "passed") === true, text }];
  });
}

function failure(why: string): Outcome {
  return { score: 0, aspects: 1, checks: [{ passed: false, text: `Code evaluator failed: ${why}` }], noData: true };
}
