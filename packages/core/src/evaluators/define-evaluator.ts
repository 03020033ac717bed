import type { EntryReader } from "./entry-reader.ts";
import type { EvaluationSubject, EvaluatorConfig, EvaluatorResult, Outcome } from "./evaluation.ts";

/** What an evaluator may ask of whoever runs it; the tool adds commands, models and files (evals/evaluators). */
export interface EvaluateContext {
  /** Runs other evaluators on the same subject: the members of a composite. */
  evaluateAll(configs: readonly EvaluatorConfig[], subject: EvaluationSubject): Promise<EvaluatorResult[]>;
}

/** An evaluator is a parser of its own keys and one function. A new one is one file, one test and one line in a registry. */
export interface EvaluatorDefinition<P, C extends EvaluateContext = EvaluateContext> {
  /** With underscores; hyphens are accepted everywhere. */
  readonly type: string;
  readonly aliases?: readonly string[];
  /** One line for the documentation. */
  readonly summary: string;
  parse(entry: EntryReader): P;
  evaluate(subject: EvaluationSubject, params: P, context: C): Outcome | Promise<Outcome>;
}

/** A definition whose parameter type has been forgotten: what registries hold. */
export type Evaluator<C extends EvaluateContext = EvaluateContext> = EvaluatorDefinition<unknown, C>;

export function defineEvaluator<P, C extends EvaluateContext = EvaluateContext>(
  definition: EvaluatorDefinition<P, C>,
): Evaluator<C> {
  // `evaluate` only ever receives what `parse` of the same definition returned.
  return definition as Evaluator<C>;
}

/** `tool-trajectory`, `tool_trajectory` and `Tool-Trajectory` are one type. */
export function normaliseType(type: string): string {
  return type.trim().toLowerCase().replaceAll("-", "_");
}

export function findEvaluator<C extends EvaluateContext>(
  type: string,
  registry: readonly Evaluator<C>[],
): Evaluator<C> | undefined {
  const wanted = normaliseType(type);
  return registry.find(
    (evaluator) => evaluator.type === wanted || evaluator.aliases?.some((alias) => normaliseType(alias) === wanted),
  );
}
