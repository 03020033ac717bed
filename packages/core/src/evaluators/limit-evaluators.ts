/** Limits on a whole run: time, cost, tokens, calls. Missing data fails: an unknown cost is not a cheap one. */

import { totalTokens } from "../evals/total-tokens.ts";
import { optional, preset, required } from "../read/field.ts";
import type { ValuesOf } from "../read/mapping.ts";
import { boolean, number, text } from "../read/scalars.ts";
import { type AgentVocabulary, builtinTools } from "../text/builtin-tools.ts";
import { globMatcher } from "../text/glob.ts";
import { callsPerTool } from "../trajectory/score-trajectory.ts";
import { defineEvaluator } from "./define-evaluator.ts";
import type { Check, EvaluationSubject, Outcome } from "./evaluation.ts";

const limit = number({ min: 0 });

export const latency = defineEvaluator({
  type: "latency",
  judgesBlind: true,
  summary: "the run took at most this many milliseconds",
  fields: { threshold: required(limit, "in milliseconds", { alias: "max_ms" }) },
  evaluate: ({ durationMs, missing }, { threshold }) =>
    single(
      limitCheck(
        "Duration",
        durationMs,
        threshold,
        (value) => `${value} ms`,
        lacking("No duration data available in trace", missing?.().duration),
      ),
      durationMs !== undefined,
    ),
});

export const cost = defineEvaluator({
  type: "cost",
  judgesBlind: true,
  summary: "the run cost at most this many US dollars",
  fields: { budget: required(limit, "in US dollars", { alias: ["threshold", "max_usd"] }) },
  evaluate: ({ costUsd, missing }, { budget }) =>
    single(
      limitCheck("Cost", costUsd, budget, dollars, lacking("No cost data available in trace", missing?.().cost)),
      costUsd !== undefined,
    ),
});

export const tokenUsage = defineEvaluator({
  type: "token_usage",
  judgesBlind: true,
  summary: "the run used at most this many tokens; cached ones count in the total",
  fields: {
    maxTotal: optional(limit, "all tokens, cached ones included"),
    maxInput: optional(limit, "tokens that went in"),
    maxOutput: optional(limit, "tokens that came out"),
  },
  options: { atLeastOne: [["maxTotal", "maxInput", "maxOutput"]] },
  evaluate({ tokenUsage: usage, missing }, { maxTotal, maxInput, maxOutput }) {
    if (usage === undefined) {
      return single(failed(lacking("No token usage data available in trace", missing?.().tokens)), false);
    }
    const checks: Check[] = [];
    if (maxInput !== undefined) checks.push(limitCheck("Input tokens", usage.input, maxInput, String, ""));
    if (maxOutput !== undefined) checks.push(limitCheck("Output tokens", usage.output, maxOutput, String, ""));
    if (maxTotal !== undefined) checks.push(limitCheck("Total tokens", totalTokens(usage), maxTotal, String, ""));
    return { score: checks.every((check) => check.passed) ? 1 : 0, aspects: checks.length, checks };
  },
});

const EXPLORATION_TOOLS = ["read", "grep", "glob", "search", "list", "Read", "Grep", "Glob", "WebSearch", "WebFetch"];
const EXPLORING: ReadonlySet<string> = new Set(EXPLORATION_TOOLS);
const DEFAULT_TOLERANCE = 0.2;

const metricFields = {
  maxToolCalls: optional(limit, "calls of tools"),
  maxLlmCalls: optional(limit, "calls of the model"),
  maxTokens: optional(limit, "tokens in and out"),
  maxCostUsd: optional(limit, "US dollars"),
  maxDurationMs: optional(limit, "milliseconds"),
  explorationRatio: optional(number({ min: 0, max: 1 }), "the wanted share of reading and searching among the calls", {
    key: "target_exploration_ratio",
  }),
  explorationTolerance: preset(limit, DEFAULT_TOLERANCE, "how far that share may be off"),
};
type MetricLimits = ValuesOf<typeof metricFields>;

export const executionMetrics = defineEvaluator({
  type: "execution_metrics",
  judgesBlind: true,
  summary: "calls, tokens, cost and time within limits; the score is the share of limits kept",
  fields: metricFields,
  options: {
    atLeastOne: [["maxToolCalls", "maxLlmCalls", "maxTokens", "maxCostUsd", "maxDurationMs", "explorationRatio"]],
  },
  evaluate: checkMetrics,
});

function checkMetrics(subject: EvaluationSubject, limits: MetricLimits): Outcome {
  const needsTrace = limits.maxToolCalls ?? limits.maxLlmCalls ?? limits.explorationRatio;
  if (!subject.hasTrace && needsTrace !== undefined) return single(failed("No trace summary available"), false);
  const counts =
    subject.toolCalls.length > 0 ? callsPerTool(subject.toolCalls) : (subject.toolCounts ?? new Map<string, number>());
  const toolCalls = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const usage = subject.tokenUsage;
  const tokens = usage === undefined ? undefined : usage.input + usage.output;
  const checks: Check[] = [];
  let isKnown = toolCalls > 0 || limits.explorationRatio === undefined;
  const limit = (
    what: string,
    value: number | undefined,
    max: number | undefined,
    unit: (value: number) => string,
    why?: string,
  ) => {
    if (max === undefined) return;
    isKnown &&= value !== undefined;
    checks.push(limitCheck(what, value, max, unit, lacking(`${what}: data not available`, why)));
  };
  limit("Tool calls", toolCalls, limits.maxToolCalls, String);
  limit("LLM calls", subject.llmCalls, limits.maxLlmCalls, String);
  limit("Total tokens", tokens, limits.maxTokens, String, subject.missing?.().tokens);
  limit("Cost", subject.costUsd, limits.maxCostUsd, dollars, subject.missing?.().cost);
  limit("Duration", subject.durationMs, limits.maxDurationMs, (value) => `${value} ms`, subject.missing?.().duration);
  if (limits.explorationRatio !== undefined)
    checks.push(explorationCheck(counts, toolCalls, limits, subject.vocabulary));
  const passed = checks.filter((check) => check.passed).length;
  const score = passed / checks.length;
  return { score, aspects: checks.length, checks, ...(isKnown ? {} : { noData: true as const }) };
}

/** How much of the work was looking: reading and searching calls over all calls. */
function explorationCheck(
  counts: ReadonlyMap<string, number>,
  toolCalls: number,
  limits: MetricLimits,
  vocabulary: AgentVocabulary | undefined,
): Check {
  const target = limits.explorationRatio!;
  if (toolCalls === 0) return failed("Exploration ratio not available (no tool calls)");
  let exploring = 0;
  for (const [name, count] of counts)
    if (ownWords(name, vocabulary).some((tool) => EXPLORING.has(tool))) exploring += count;
  const ratio = exploring / toolCalls;
  // 0.7 - 0.5 is not 0.2 in binary; the last bits must not decide.
  const passed = Math.abs(ratio - target) <= limits.explorationTolerance + 1e-9;
  const text = `Exploration ratio ${ratio.toFixed(2)}, target ${target} within ${limits.explorationTolerance}`;
  return { passed, text };
}

export const skillTrigger = defineEvaluator({
  type: "skill_trigger",
  aliases: ["skill_used"],
  summary: "a skill was used: a Skill call that names it, or a Read below skills/<name>/",
  fields: {
    skill: required(text, "its name", { alias: "value" }),
    shouldTrigger: preset(boolean, true, "false: the run must not use it"),
  },
  evaluate({ toolCalls, hasTrace, vocabulary }, { skill, shouldTrigger }) {
    const isSkillFile = globMatcher(`*skills/${skill}/*`, { ignoreCase: true });
    const found = toolCalls.find((call) => {
      const input = typeof call.input === "object" && call.input !== null ? Object.values(call.input) : [];
      if (call.name === "Skill" || call.name === "skill")
        return input.some((value) => typeof value === "string" && value.includes(skill));
      return (
        ownWords(call.name, vocabulary).includes("Read") &&
        input.some((value) => typeof value === "string" && isSkillFile(value))
      );
    });
    const text = found === undefined ? `Skill ${skill} was not used` : `Skill ${skill} was used (${found.name})`;
    return single({ passed: hasTrace && (found !== undefined) === shouldTrigger, text }, hasTrace);
  },
});

/** The name of a call, and the built-in tools it stands for in the words of its agent. */
function ownWords(name: string, vocabulary: AgentVocabulary | undefined): readonly string[] {
  return vocabulary === undefined ? [name] : [name, ...builtinTools(name, vocabulary)];
}

function limitCheck(
  what: string,
  value: number | undefined,
  max: number,
  unit: (value: number) => string,
  absent: string,
): Check {
  if (value === undefined) return failed(absent);
  const passed = value <= max;
  return { passed, text: `${what} ${unit(value)} ${passed ? "<=" : ">"} ${unit(max)}` };
}

function lacking(what: string, why: string | undefined): string {
  return why === undefined ? what : `${what} (${why})`;
}

function single(check: Check, isKnown = true): Outcome {
  return { score: check.passed ? 1 : 0, aspects: 1, checks: [check], ...(isKnown ? {} : { noData: true as const }) };
}

function failed(text: string): Check {
  return { passed: false, text };
}

/** Enough digits that a cost above its budget never prints like one that equals it. */
function dollars(value: number): string {
  const short = value.toFixed(4);
  return `$${Number(short) === value ? short : String(value)}`;
}
