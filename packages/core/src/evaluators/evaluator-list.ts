/**
 * A list of evaluator entries, in any of the dialects. Entries of AgentV (three releases), promptfoo assertions and plain
 * texts (criteria for a judge) may stand side by side. Every problem is collected; nothing is skipped.
 */

import { oneOf } from "../read/collections.ts";
import type { Definitions } from "../read/definitions.ts";
import { optional, preset } from "../read/field.ts";
import { lazily } from "../read/json-schema.ts";
import type { Located } from "../read/located.ts";
import type { Fields, Mapping } from "../read/mapping.ts";
import { boolean, constant, integer, number, text } from "../read/scalars.ts";
import type { Shape } from "../read/shape.ts";
import { type Tagged, type TaggedValue, tagged, type Variant } from "../read/tagged.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { type EvaluateContext, type Evaluator, findEvaluator } from "./define-evaluator.ts";
import type { EvaluatorConfig } from "./evaluation.ts";
import { translateAssertion } from "./promptfoo.ts";

/** What every evaluator entry takes besides its own keys. @reference */
export const commonFields = {
  name: optional(text, "what reports call it; by default its type", { alias: ["metric", "id"] }),
  description: optional(text, "what it is for"),
  weight: preset(number({ min: 0 }), 1, "its share in the score of the case"),
  required: optional(
    oneOf(boolean, number({ above: 0, max: 1 })),
    "below its pass line the whole case scores 0; a number is that pass line",
  ),
  minScore: optional(number({ above: 0, max: 1 }), "its own pass line; 0.8 when absent"),
  negate: preset(boolean, false, "passes when it would fail"),
  turn: optional(
    oneOf(integer({ min: 1 }), constant("last")),
    "the turn of the user it looks at, from 1, or last; without it, all of a conversation",
  ),
} satisfies Fields;

/** The shape of a list of entries, for the evaluators of a registry. */
export function evaluatorList<C extends EvaluateContext>(
  registry: readonly Evaluator<C>[],
): Shape<readonly EvaluatorConfig[]> {
  const known = shapes.get(registry);
  if (known !== undefined) return known;
  const entry = evaluatorEntry(registry);
  const shape = lazily("evaluators", () => listShape(entry, registry));
  shapes.set(registry, shape);
  return shape;
}

const shapes = new WeakMap<object, Shape<readonly EvaluatorConfig[]>>();

interface EvaluatorVariant extends Variant {
  readonly evaluator: Evaluator<never>;
}

type Entry = Tagged<EvaluatorVariant>;

function evaluatorEntry<C extends EvaluateContext>(registry: readonly Evaluator<C>[]): Entry {
  const variants = registry.map(
    (evaluator): EvaluatorVariant => ({
      evaluator: evaluator as unknown as Evaluator<never>,
      names: [evaluator.type, ...(evaluator.aliases ?? [])],
      summary: evaluator.summary,
      fields: evaluator.fields,
      ...(evaluator.options === undefined ? {} : { options: evaluator.options }),
    }),
  );
  return tagged("an evaluator", {
    tag: "type",
    common: commonFields,
    variants,
    find: (word) => {
      const found = findEvaluator(withoutNot(word), registry);
      return variants.find(({ evaluator }) => (evaluator as unknown) === found);
    },
    pattern: ({ names }) => `^(not[-_])?(${names.map((name) => name.replace(/[-_]/g, "[-_]")).join("|")})$`,
    alsoCamelCase: true,
    ifUnknown: "A check of your own is a command here: type: code_judge, script: [node, check.mjs].",
    titleOf: (raw) => `evaluator "${nameOf(raw) ?? withoutNot(stringMember(raw, "type") ?? "")}"`,
  });
}

function nameOf(raw: JsonObject): string | undefined {
  return stringMember(raw, "name") ?? stringMember(raw, "metric") ?? stringMember(raw, "id");
}

function isNegated(type: string): boolean {
  return type.startsWith("not-") || type.startsWith("not_");
}

function withoutNot(type: string): string {
  return isNegated(type) ? type.slice(4) : type;
}

function listShape<C extends EvaluateContext>(
  entry: Entry,
  registry: readonly Evaluator<C>[],
): Shape<readonly EvaluatorConfig[]> {
  return {
    wants: "a list of evaluators",
    type: "list of evaluators",
    kinds: ["list"],
    read(at) {
      if (!Array.isArray(at.value)) return at.wrong("a list of evaluators");
      const before = at.errorCount;
      const configs = at.items().flatMap((item) => (typeof item.value === "string" ? [] : readEntry(item, entry)));
      const criteria = at.value.filter((item): item is string => typeof item === "string");
      if (criteria.length > 0) configs.push(...readCriteria(criteria, at, entry, registry));
      return at.errorCount > before ? undefined : withDistinctNames(configs);
    },
    schema: (definitions) => ({ type: "array", items: itemSchema(entry, definitions) }),
  };
}

/** promptfoo's assertions are translated before they are read, so only their frame can be described. */
function itemSchema(entry: Entry, definitions: Definitions): JsonObject {
  const promptfoo = {
    properties: { type: { type: "string", pattern: "^(not[-_])?(trajectory:|assert[-_]set$)" } },
    required: ["type"],
  };
  return {
    description: "an evaluator by its type, or a criterion for a judge as a text",
    anyOf: [
      { type: "string" },
      { type: "object", ...promptfoo },
      definitions.refer("evaluator", () => entry.schema(definitions)),
    ],
  };
}

function readEntry(at: Located, entry: Entry): EvaluatorConfig[] {
  if (!isObject(at.value)) {
    at.misshapen('an evaluator must be a mapping with "type", or a text for a judge.');
    return [];
  }
  if (member(at.value, "include") !== undefined && member(at.value, "type") === undefined) {
    at.keyProblem(
      "include",
      "include: evaluators of another file are not taken over; write them here, or share them with a YAML alias.",
    );
    return [];
  }
  const written = stringMember(at.value, "type") ?? "";
  const negated = isNegated(written);
  const type = withoutNot(written);
  const translated = /:|^assert[-_]set$/.test(type) ? translateAssertion(type, at.value, negated) : undefined;
  if (translated?.problem !== undefined) {
    at.get("type")!.problem(translated.problem);
    return [];
  }
  const read = entry.read(translated === undefined ? at : at.with(translated.raw));
  return read === undefined ? [] : configOf(read, at, entry, negated !== (translated?.negationDone ?? false));
}

function configOf(
  { variant, values }: TaggedValue<EvaluatorVariant>,
  at: Located,
  entry: Entry,
  negated: boolean,
): EvaluatorConfig[] {
  const { evaluator } = variant;
  const { name, weight, required, minScore, negate, turn } = values as unknown as CommonValues;
  const passLine = minScore ?? (typeof required === "number" ? required : undefined);
  const before = at.errorCount;
  const names = Object.keys(variant.fields).filter((key) => Object.hasOwn(values, key));
  const own = Object.fromEntries(names.map((key) => [key, values[key]]));
  const params = evaluator.make === undefined ? own : evaluator.make(own, at, restOf(at, entry.mappingOf(variant)));
  if (at.errorCount > before) return [];
  return [
    {
      name: name ?? (negated ? `not_${evaluator.type}` : evaluator.type),
      type: evaluator.type,
      weight,
      required: required !== undefined && required !== false,
      ...(passLine === undefined ? {} : { minScore: passLine }),
      negate: negate !== negated,
      ...(turn === undefined ? {} : { turn }),
      params,
    },
  ];
}

interface CommonValues {
  readonly name?: string;
  readonly weight: number;
  readonly required?: boolean | number;
  readonly minScore?: number;
  readonly negate: boolean;
  readonly turn?: number | "last";
}

/** What an entry says beyond the keys of its evaluator. */
function restOf(at: Located, known: Mapping<Fields>): JsonObject {
  return Object.fromEntries(Object.entries(at.value as JsonObject).filter(([key]) => !known.knows(key)));
}

/** Plain texts become one judge with a checklist, which weighs as much as it has items. */
function readCriteria<C extends EvaluateContext>(
  criteria: readonly string[],
  at: Located,
  entry: Entry,
  registry: readonly Evaluator<C>[],
): EvaluatorConfig[] {
  if (findEvaluator("llm_judge", registry) === undefined) {
    at.problem("plain texts are criteria for a judge, and there is no judge here.");
    return [];
  }
  const raw: Json = { name: "criteria", type: "llm_judge", rubrics: [...criteria], weight: criteria.length };
  return readEntry(at.with(raw), entry);
}

/** Results refer to names, so the second of two equal ones gets a number. */
function withDistinctNames(configs: readonly EvaluatorConfig[]): EvaluatorConfig[] {
  const seen = new Map<string, number>();
  return configs.map((config) => {
    const count = (seen.get(config.name) ?? 0) + 1;
    seen.set(config.name, count);
    return count === 1 ? config : { ...config, name: `${config.name}-${count}` };
  });
}
