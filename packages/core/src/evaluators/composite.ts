/** composite: several evaluators as one, with weights by member name or with a share that must pass. */

import { record } from "../read/collections.ts";
import { optional, preset, required } from "../read/field.ts";
import { lazily } from "../read/json-schema.ts";
import { mapping } from "../read/mapping.ts";
import { choice, number } from "../read/scalars.ts";
import { nearest } from "../text/nearest.ts";
import { stringMember } from "../trace/json.ts";
import { defineEvaluator, type EvaluateContext, type Evaluator } from "./define-evaluator.ts";
import type { Check, EvaluatorConfig, EvaluatorResult, Outcome } from "./evaluation.ts";
import { evaluatorList } from "./evaluator-list.ts";

interface CompositeParams {
  readonly members: readonly EvaluatorConfig[];
  readonly aggregation: "weighted_average" | "threshold";
  readonly weights: readonly { readonly name: string; readonly weight: number }[];
  /** `threshold`: the share of members that must pass. */
  readonly threshold: number;
}

const ownAggregator = mapping("the aggregator", {
  type: preset(choice(["weighted_average", "threshold"]), "weighted_average", "how members become one score"),
  weights: preset(record(number({ min: 0 })), {} as Readonly<Record<string, number>>, "member → weight"),
  threshold: preset(number({ min: 0, max: 1 }), 1, "the share of members that must pass"),
});

/** AgentV also lets a command or a judge combine scores; that is said in one line, not key by key. */
const aggregator: typeof ownAggregator = {
  ...ownAggregator,
  read(at) {
    const foreign = /^(code|llm)[-_](judge|grader)$/.exec(stringMember(at.value, "type") ?? "")?.[1];
    if (foreign === undefined) return ownAggregator.read(at);
    const who = foreign === "code" ? "a command" : "a judge";
    return at
      .get("type")!
      .misshapen(
        `${who} that combines the scores of members is not run here; use weights, a threshold, or required on a member.`,
      );
  },
};

/** Made for a registry, because its members may be any evaluator of it. */
export function defineComposite<C extends EvaluateContext>(registry: () => readonly Evaluator<C>[]): Evaluator<C> {
  const members = lazily("evaluators", () => evaluatorList(registry()));
  const fields = {
    evaluators: required(members, "its members", { alias: ["assertions", "assert"] }),
    aggregator: optional(aggregator, "how members become one score"),
  };
  return defineEvaluator<typeof fields, CompositeParams, C>({
    type: "composite",
    judgesBlind: true,
    summary: "several evaluators as one: weighted mean, or the share of members that pass",
    fields,
    make({ evaluators, aggregator: how }, at) {
      const weights = Object.entries(how?.weights ?? {}).map(([name, weight]) => ({ name, weight }));
      const names = evaluators.map(({ name }) => name);
      const place = at.get("aggregator")?.get("weights");
      for (const { name } of weights) {
        if (names.includes(name)) continue;
        const close = nearest(name, names);
        const hint = close === undefined ? `They are ${names.join(", ")}.` : `Did you mean ${close}?`;
        place?.keyProblem(name, `weights names no member: ${name}. ${hint}`);
      }
      return {
        members: evaluators,
        aggregation: how?.type ?? "weighted_average",
        weights,
        threshold: how?.threshold ?? 1,
      };
    },
    async evaluate(subject, params, context) {
      return combine(await context.evaluateAll(params.members, subject), params);
    },
  });
}

function combine(parts: readonly EvaluatorResult[], params: CompositeParams): Outcome {
  const weights = new Map(params.weights.map(({ name, weight }) => [name, weight]));
  const weighed = parts.map((part) => ({ ...part, weight: weights.get(part.name) ?? part.weight }));
  const counted = weighed.filter((part) => part.status !== "not_evaluated");
  const checks: Check[] = weighed.flatMap((part) =>
    part.checks.map(({ passed, text }) => ({ passed, text: `[${part.name}] ${text}` })),
  );
  const notChecked = weighed.flatMap((part) => (part.notChecked ?? []).map((text) => `[${part.name}] ${text}`));
  const failedRequired = counted.some((part) => part.required && part.status === "failed");
  const share = params.aggregation === "threshold" ? passingShare(counted) : undefined;
  const belowThreshold = share !== undefined && share < params.threshold;
  // Where a share of the members is enough, one that is ruled out is one that fails; in a mean it would be outweighed.
  // Of a member that broke nothing is known, and no mean makes up for it.
  const broken = counted.find((part) => part.error !== undefined);
  const partRuledOut = share === undefined && counted.some((part) => part.ruledOut && part.weight > 0);
  return {
    score: failedRequired ? 0 : share === undefined ? weightedMean(counted) : belowThreshold ? share : 1,
    aspects: weighed.reduce((sum, part) => sum + part.aspects, 0),
    checks,
    parts: weighed,
    ...(notChecked.length === 0 ? {} : { notChecked }),
    ...(failedRequired || belowThreshold || partRuledOut || broken ? { ruledOut: true as const } : {}),
    ...(broken === undefined ? {} : { error: broken.error! }),
    ...(counted.length === 0 || counted.some((part) => part.noData) ? { noData: true as const } : {}),
  };
}

function weightedMean(parts: readonly EvaluatorResult[]): number {
  const total = parts.reduce((sum, part) => sum + part.weight, 0);
  return total === 0 ? 0 : parts.reduce((sum, part) => sum + part.weight * part.score, 0) / total;
}

function passingShare(parts: readonly EvaluatorResult[]): number {
  return parts.length === 0 ? 0 : parts.filter((part) => part.status === "passed").length / parts.length;
}
