/** The evaluators file of `spoor score`: a list of entries, or a mapping with such a list and a judge. */
import type { JsonObject } from "@spoor/core";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { custom, later, oneOf } from "@spoor/core/internal/read/collections";
import { optional } from "@spoor/core/internal/read/field";
import { buildSchema } from "@spoor/core/internal/read/json-schema";
import { mapping } from "@spoor/core/internal/read/mapping";
import { json, number } from "@spoor/core/internal/read/scalars";
import type { Read, Shape } from "@spoor/core/internal/read/shape";
import { evaluators } from "./evaluators/evaluators.ts";
import { judgesShape } from "./evaluators/judge-options.ts";

const listed = evaluatorList(evaluators);

/** A list without an entry would let everything pass. */
const entries: Shape<Read<typeof listed>> = {
  ...custom(listed, (configs, at) =>
    configs.length === 0 ? at.misshapen("there is no evaluator in the list.") : configs,
  ),
  schema: (definitions) => ({ allOf: [listed.schema(definitions), { minItems: 1 }] }),
};

const evaluatorsMapping = mapping(
  "the evaluators file",
  {
    name: optional(json, "for people"),
    description: optional(json, "for people"),
    version: optional(json, "for people"),
    $schema: optional(json, "the JSON Schema, for editors"),
    evaluators: optional(entries, "the evaluators; each trace is scored by all of them"),
    assertions: optional(entries, "another word for evaluators"),
    assert: optional(entries, "promptfoo's word for evaluators"),
    execution: optional(
      mapping("execution", { evaluators: optional(entries, "the evaluators") }, { open: true }),
      "an older place for evaluators",
    ),
    threshold: optional(number({ above: 0, max: 1 }), "the score from which a trace passes"),
    judge: optional(later(judgesShape), "the model that judges, or several that vote"),
  },
  { exactlyOne: [["evaluators", "assertions", "assert", "execution"]] },
);
export type EvaluatorsMapping = Partial<Read<typeof evaluatorsMapping>>;

export const evaluatorsFile = oneOf(entries, evaluatorsMapping);

export function buildEvaluatorsSchema(): JsonObject {
  return buildSchema(evaluatorsFile, {
    id: "evaluators.schema.json",
    title: "Spoor evaluators",
    description: "What recorded traces are scored by. Read by spoor score and by the trajectory lens of spoor gate.",
  });
}
