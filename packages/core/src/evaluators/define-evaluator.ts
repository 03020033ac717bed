import type { Located } from "../read/located.ts";
import type { Fields, ValuesOf } from "../read/mapping.ts";
import type { MappingOptions } from "../read/shape.ts";
import type { JsonObject } from "../trace/json.ts";
import type { EvaluationSubject, EvaluatorConfig, EvaluatorResult, Outcome } from "./evaluation.ts";

/** What an evaluator may ask of whoever runs it; the tool adds commands, models and files (evals/evaluators). */
export interface EvaluateContext {
  /** Runs other evaluators on the same subject: the members of a composite. */
  evaluateAll(configs: readonly EvaluatorConfig[], subject: EvaluationSubject): Promise<EvaluatorResult[]>;
}

/** An evaluator is a definition of its own keys and one function. A new one is one file, one test and one line in a registry. */
export interface EvaluatorDefinition<F extends Fields, P, C extends EvaluateContext = EvaluateContext> {
  /** With underscores; hyphens are accepted everywhere. */
  readonly type: string;
  readonly aliases?: readonly string[];
  /** One line for the documentation. */
  readonly summary: string;
  /** Its keys besides those that every entry has. */
  readonly fields: F;
  readonly options?: Pick<MappingOptions, "atLeastOne" | "exactlyOne" | "open">;
  /** What was read, made ready; `rest` holds the members that no field names, where `open` lets them through. */
  make?(values: ValuesOf<F>, at: Located, rest: JsonObject): P | undefined;
  /** Names, counts and times suffice: a recording without anything anyone said can be scored. */
  readonly judgesBlind?: true;
  /** `passLine`: the score from which the entry passes, for who counts votes. */
  evaluate(subject: EvaluationSubject, params: P, context: C, passLine: number): Outcome | Promise<Outcome>;
}

/** A definition whose types have been forgotten: what registries hold. */
export type Evaluator<C extends EvaluateContext = EvaluateContext> = EvaluatorDefinition<Fields, unknown, C>;

export function defineEvaluator<const F extends Fields, P = ValuesOf<F>, C extends EvaluateContext = EvaluateContext>(
  definition: EvaluatorDefinition<F, P, C>,
): Evaluator<C> {
  // `evaluate` only ever receives what `make` of the same definition returned.
  return definition as unknown as Evaluator<C>;
}

/** `tool-trajectory`, `tool_trajectory` and `Tool-Trajectory` are one type. */
function normaliseType(type: string): string {
  return type.trim().toLowerCase().replaceAll("-", "_");
}

export function findEvaluator<C extends EvaluateContext>(
  type: string,
  registry: readonly Evaluator<C>[],
): Evaluator<C> | undefined {
  // Nearly always the name as it is: spelling every alias out costs more than most evaluators.
  const own = registry.find((evaluator) => evaluator.type === type);
  if (own !== undefined) return own;
  const wanted = normaliseType(type);
  return registry.find(
    (evaluator) => evaluator.type === wanted || evaluator.aliases?.some((alias) => normaliseType(alias) === wanted),
  );
}
