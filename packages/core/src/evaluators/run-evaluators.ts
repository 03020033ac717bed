/**
 * Runs evaluators over one subject. One that breaks scores 0 with its reason and the others go on; one that could not be
 * evaluated at all leaves the mean, is listed, and is never a pass.
 */
import { SpoorError } from "../errors.ts";
import { NOT_RECORDED } from "../trace/recording-facts.ts";
import { type EvaluateContext, type Evaluator, findEvaluator } from "./define-evaluator.ts";
import {
  type EvaluationSubject,
  type EvaluatorConfig,
  type EvaluatorResult,
  type Outcome,
  PASS_LINE,
  statusOfScore,
} from "./evaluation.ts";
import { subjectOfTurn } from "./turn-subject.ts";

/** Thrown by an evaluator that has to be left out: no judge is configured and the user said to go on without. */
export class NotEvaluatedError extends Error {
  override readonly name = "NotEvaluatedError";
}

export async function runEvaluatorsWith<C extends EvaluateContext>(
  configs: readonly EvaluatorConfig[],
  subject: EvaluationSubject,
  registry: readonly Evaluator<C>[],
  context: C,
): Promise<EvaluatorResult[]> {
  return Promise.all(configs.map((config) => runEvaluator(config, subject, registry, context)));
}

async function runEvaluator<C extends EvaluateContext>(
  config: EvaluatorConfig,
  subject: EvaluationSubject,
  registry: readonly Evaluator<C>[],
  context: C,
): Promise<EvaluatorResult> {
  const evaluator = findEvaluator(config.type, registry);
  if (evaluator === undefined) {
    throw new SpoorError("evaluators.unknown-type", `There is no evaluator of type "${config.type}" here.`);
  }
  // What was not recorded contains nothing that is forbidden, either: no answer is the only true one.
  if (evaluator.judgesBlind !== true && isBlind(subject))
    return broken(config, new SpoorError("evaluators.not-recorded", NOT_RECORDED));
  try {
    const seen = config.turn === undefined ? subject : subjectOfTurn(subject, config.turn);
    const passLine = config.minScore ?? PASS_LINE;
    return resultOf(config, await evaluator.evaluate(seen, config.params, context, passLine));
  } catch (error) {
    if (error instanceof NotEvaluatedError) return skipped(config, error.message);
    if (error instanceof SpoorError) return broken(config, error);
    throw error;
  }
}

/** Weights, pass line and negation on top of what the evaluator answered. */
export function resultOf(config: EvaluatorConfig, outcome: Outcome): EvaluatorResult {
  const passLine = config.minScore ?? PASS_LINE;
  const { name, type, weight } = config;
  const head = config.required
    ? { name, type, weight, passLine, required: true as const }
    : { name, type, weight, passLine };
  // The head is nobody else's yet: see extended.ts for why it is not spread.
  if (!config.negate) return Object.assign(head, outcome, statusOfOutcome(outcome, passLine));
  const { ruledOut: _ruledOut, ...rest } = outcome;
  // Without evidence nothing is proven, the opposite neither.
  if (outcome.noData) return { ...head, ...rest, score: 0, status: "failed", negated: true };
  const checks = outcome.checks.map((check) => ({ ...check, passed: !check.passed }));
  return {
    ...head,
    ...rest,
    score: 1 - outcome.score,
    checks,
    ...opposite(statusOfScore(outcome.score, passLine)),
    negated: true,
  };
}

function statusOfOutcome({ score, ruledOut }: Outcome, passLine: number): ReturnType<typeof statusOfScore> {
  const own = statusOfScore(score, passLine);
  return ruledOut && own.status === "passed" ? { status: "failed", reason: "ruled_out" } : own;
}

/** By the score alone: what a single call rules out is no proof of the opposite. What is borderline is so from either side. */
function opposite(own: ReturnType<typeof statusOfScore>): ReturnType<typeof statusOfScore> {
  if (own.reason === "borderline") return own;
  return { status: own.status === "passed" ? "failed" : "passed" };
}

function isBlind({ hasTrace, trace }: EvaluationSubject): boolean {
  return hasTrace && trace().recording?.blind !== undefined;
}

function skipped(config: EvaluatorConfig, why: string): EvaluatorResult {
  const outcome: Outcome = { score: 0, aspects: 0, checks: [], notChecked: [why] };
  return { ...resultOf({ ...config, negate: false }, outcome), status: "not_evaluated", reason: "needs_judge" };
}

function broken(config: EvaluatorConfig, error: SpoorError): EvaluatorResult {
  const text = `Evaluator '${config.name}' failed: ${error.message}`;
  const outcome: Outcome = { score: 0, aspects: 1, checks: [{ passed: false, text }], noData: true };
  return { ...resultOf(config, outcome), error: { code: error.code, message: error.message } };
}
