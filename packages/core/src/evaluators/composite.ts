/** composite: several evaluators as one, with weights by member name or with a share that must pass. */
import type { Json } from "../trace/json.ts";
import { defineEvaluator, type EvaluateContext, type Evaluator } from "./define-evaluator.ts";
import type { Check, EvaluatorConfig, EvaluatorResult, Outcome } from "./evaluation.ts";
import { parseEvaluatorsWith } from "./parse-evaluators.ts";

interface CompositeParams {
  readonly members: readonly EvaluatorConfig[];
  readonly aggregation: "weighted_average" | "threshold";
  readonly weights: readonly { readonly name: string; readonly weight: number }[];
  /** `threshold`: the share of members that must pass. */
  readonly threshold: number;
}

/** Made for a registry, because its members may be any evaluator of it. */
export function defineComposite<C extends EvaluateContext>(registry: () => readonly Evaluator<C>[]): Evaluator<C> {
  return defineEvaluator<CompositeParams, C>({
    type: "composite",
    summary: "several evaluators as one: weighted mean, or the share of members that pass",
    parse(entry) {
      const key = entry.has("assertions") ? "assertions" : entry.has("assert") ? "assert" : "evaluators";
      const members = entry.value("evaluators", "assertions", "assert");
      if (members === undefined) entry.missing('needs "evaluators", its members');
      const aggregator = entry.nested("aggregator", `aggregator of ${entry.title}`);
      const aggregation = aggregator?.choice("type", ["weighted_average", "threshold"]) ?? "weighted_average";
      const weights = aggregator?.nested("weights", `weights of ${entry.title}`);
      const threshold = aggregator?.number("threshold", { min: 0, max: 1 }) ?? 1;
      aggregator?.refuseUnknown();
      const configs =
        members === undefined
          ? []
          : parseEvaluatorsWith(members as Json, {
              problems: entry.problems,
              path: [...entry.path, key],
              registry: registry(),
            });
      const parsedWeights = configs.flatMap(({ name }) => {
        const weight = weights?.number(name);
        return weight === undefined ? [] : [{ name, weight }];
      });
      weights?.refuseUnknown();
      return { members: configs, aggregation, weights: parsedWeights, threshold };
    },
    async evaluate(subject, params, context) {
      return combine(await context.evaluateAll(params.members, subject), params);
    },
  });
}

function combine(parts: readonly EvaluatorResult[], params: CompositeParams): Outcome {
  const weights = new Map(params.weights.map(({ name, weight }) => [name, weight]));
  const weighed = parts.map((part) => ({ ...part, weight: weights.get(part.name) ?? part.weight }));
  const counted = weighed.filter((part) => part.verdict !== "skip");
  const checks: Check[] = weighed.flatMap((part) =>
    part.checks.map(({ passed, text }) => ({ passed, text: `[${part.name}] ${text}` })),
  );
  const notChecked = weighed.flatMap((part) => (part.notChecked ?? []).map((text) => `[${part.name}] ${text}`));
  const failedRequired = counted.some((part) => part.required && part.score < part.passLine);
  const share = params.aggregation === "threshold" ? passingShare(counted) : undefined;
  const belowThreshold = share !== undefined && share < params.threshold;
  return {
    score: failedRequired ? 0 : share === undefined ? weightedMean(counted) : belowThreshold ? share : 1,
    aspects: weighed.reduce((sum, part) => sum + part.aspects, 0),
    checks,
    parts: weighed,
    ...(notChecked.length === 0 ? {} : { notChecked }),
    ...(failedRequired || belowThreshold ? { forceFail: true as const } : {}),
    ...(counted.length === 0 || counted.some((part) => part.noData) ? { noData: true as const } : {}),
  };
}

function weightedMean(parts: readonly EvaluatorResult[]): number {
  const total = parts.reduce((sum, part) => sum + part.weight, 0);
  return total === 0 ? 0 : parts.reduce((sum, part) => sum + part.weight * part.score, 0) / total;
}

function passingShare(parts: readonly EvaluatorResult[]): number {
  return parts.length === 0 ? 0 : parts.filter((part) => part.verdict === "pass").length / parts.length;
}
