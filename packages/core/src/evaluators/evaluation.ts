/**
 * What every evaluator shares: the subject it looks at, its configuration as plain data, and the result it gives. The same
 * evaluators run over recorded traces (`spoor score`) and over fresh provider output (`spoor eval`).
 */

import type { ScoreReason, Status } from "../judgement/status.ts";
import type { AgentVocabulary } from "../text/builtin-tools.ts";
import type { Json } from "../trace/json.ts";
import type { ToolCall, Trace } from "../trace/trace.ts";
import type { TrajectoryResult } from "../trajectory/trajectory.ts";

/** One run of an agent on one case. Whatever the source did not have is absent, never zero. */
export interface EvaluationSubject {
  readonly toolCalls: readonly ToolCall[];
  /** False when there is nothing to look at: no list of messages or an empty one, and no counts. */
  readonly hasTrace: boolean;
  /** Calls per tool from a summary, when the calls themselves are not there. */
  readonly toolCounts?: ReadonlyMap<string, number>;
  /** What the agent calls its built-in tools, when it is one of the known ones. */
  readonly vocabulary?: AgentVocabulary;
  /** The candidate answer: content of the last assistant message that has any, in a conversation of all; empty when there is none. */
  readonly answer: string;
  readonly llmCalls?: number;
  readonly durationMs?: number;
  readonly costUsd?: number;
  readonly tokenUsage?: TokenUsage;
  /** Why a figure is missing, when it is known: "3 of 8 turns have no token counts". */
  readonly missing?: () => MissingFigures;
  /** The whole trace, for evaluators that need turns or steps; built on demand. */
  readonly trace: () => Trace;
  readonly task: EvaluationTask;
}

export interface MissingFigures {
  readonly tokens: string;
  readonly cost: string;
  readonly duration: string;
}

/** What the case says about itself. */
export interface EvaluationTask {
  readonly id?: string;
  readonly question?: string;
  readonly expectedOutcome?: string;
  readonly referenceAnswer?: string;
  readonly inputMessages?: readonly Json[];
  /** There are several turns of a user: the answer is everything the agent said. */
  readonly conversation?: true;
  readonly expectedMessages?: readonly Json[];
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

/** One parsed evaluator entry. `params` belongs to the evaluator of this `type`. */
export interface EvaluatorConfig<P = unknown> {
  readonly name: string;
  readonly type: string;
  /** Share in the case score. */
  readonly weight: number;
  /** Below its pass line the whole case scores 0. */
  readonly required: boolean;
  /** The evaluator's own pass line; 0.8 when absent. */
  readonly minScore?: number;
  readonly negate: boolean;
  /** The turn of the user it looks at, from 1, or the last one; absent: all of them. */
  readonly turn?: number | "last";
  readonly params: P;
}

/** One thing that was looked at, in words. */
export interface Check {
  readonly passed: boolean;
  readonly text: string;
}

/** What an evaluator answers, before weights, pass lines and negation. */
export interface Outcome {
  readonly score: number;
  /** How many things were asked. */
  readonly aspects: number;
  readonly checks: readonly Check[];
  readonly reasoning?: string;
  readonly details?: Json;
  readonly trajectory?: TrajectoryResult;
  /** Results of the members of a composite. */
  readonly parts?: readonly EvaluatorResult[];
  /** The score stands and never passes: a call too many in `exact`, a required part that failed. */
  readonly ruledOut?: true;
  /** Something that was asked could not be seen: the opposite is not proven either, so a negated evaluator fails. */
  readonly noData?: true;
  /** Parts of the question that could not be answered and did not count. */
  readonly notChecked?: readonly string[];
  /** Set when the evaluator itself, or a member of it, broke: nothing is known, and it is no pass whatever the score. */
  readonly error?: { readonly code: string; readonly message: string };
}

export interface EvaluatorResult extends Outcome {
  readonly name: string;
  readonly type: string;
  readonly weight: number;
  /** `not_evaluated`: it leaves the mean and is listed, and it is never a pass. */
  readonly status: Status;
  readonly reason?: ScoreReason;
  readonly passLine: number;
  readonly required?: true;
  readonly negated?: true;
}

export const PASS_LINE = 0.8;
const BORDERLINE = 0.6;

/** Passed from the pass line on, else failed, which from 0.6 on is borderline; both lines are closed. */
export function statusOfScore(score: number, passLine = PASS_LINE): Pick<EvaluatorResult, "status" | "reason"> {
  if (score >= passLine) return { status: "passed" };
  return score >= BORDERLINE ? { status: "failed", reason: "borderline" } : { status: "failed" };
}

/** The lines that passed, as the first release wrote them. */
export function hitsOf(result: { readonly checks: readonly Check[] }): string[] {
  return result.checks.filter((check) => check.passed).map((check) => check.text);
}

/** The lines that did not pass. */
export function missesOf(result: { readonly checks: readonly Check[] }): string[] {
  return result.checks.filter((check) => !check.passed).map((check) => check.text);
}
