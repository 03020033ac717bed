/** A targets file: `targets` with a list of targets, or a mapping of names to them; or just the list. */
import type { JsonObject } from "@spoor/core";
import { custom, later, list, oneOf, record } from "@spoor/core/internal/read/collections";
import { required } from "@spoor/core/internal/read/field";
import { buildSchema } from "@spoor/core/internal/read/json-schema";
import type { Located } from "@spoor/core/internal/read/located";
import { mapping } from "@spoor/core/internal/read/mapping";
import type { Shape } from "@spoor/core/internal/read/shape";
import { isObject } from "@spoor/core/internal/trace/json";
import { nameOfTarget, targetShape } from "./target.ts";

/** A target by its name; its settings are read when it is opened, because only then is its environment needed. */
export interface TargetEntry {
  readonly name: string;
  readonly at: Located;
}

const namedByItself: Shape<TargetEntry> = {
  ...targetShape,
  read(at) {
    if (!isObject(at.value)) return at.wrong("a mapping", "", "a target");
    const name = nameOfTarget(at.value);
    return name === undefined ? at.misshapen("a target needs name: eval files refer to it.") : { name, at };
  },
  schema: (definitions) => ({
    ...targetShape.schema(definitions),
    anyOf: ["name", "id", "label"].map((key) => ({ required: [key], properties: { [key]: { type: "string" } } })),
  }),
};

const namedByItsKey = custom(record(later(targetShape)), (targets, at) => {
  for (const target of Object.values(targets)) if (!isObject(target.value)) target.wrong("a mapping");
  return at.keys().map((name): TargetEntry => ({ name, at: targets[name]! }));
});

const entries = list(namedByItself);

/** Other keys are left alone: files of other tools carry their own. */
const withTargets = mapping(
  "a targets file",
  { targets: required(oneOf(entries, namedByItsKey), "a list of targets, each with a name and a provider") },
  { open: true },
);

export const targetsFile: Shape<readonly TargetEntry[]> = oneOf(
  entries,
  custom(withTargets, ({ targets }) => targets),
);

export function buildTargetsSchema(): JsonObject {
  return buildSchema(targetsFile, {
    id: "targets.schema.json",
    title: "Spoor targets file",
    description: "Who is asked when an eval runs: agents, models, recordings. Read by spoor eval.",
  });
}
