/** A mapping of which one key says what the others are: a rule by its `kind`, an evaluator by its `type`. */
import { nearest } from "../text/nearest.ts";
import { isObject, type Json, type JsonObject } from "../trace/json.ts";
import type { Definitions } from "./definitions.ts";
import { optional, required } from "./field.ts";
import type { Located } from "./located.ts";
import { type Fields, type Mapping, mapping } from "./mapping.ts";
import { json, text } from "./scalars.ts";
import type { MappingOptions, Shape } from "./shape.ts";

export interface Variant {
  /** The words that the tag takes; the first is the name. */
  readonly names: readonly [string, ...string[]];
  readonly summary: string;
  readonly fields: Fields;
  /** Further constraints on the keys of this variant. */
  readonly options?: MappingOptions;
}

export interface TaggedOptions<V extends Variant> extends MappingOptions {
  /** The key that decides: `kind`. */
  readonly tag: string;
  /** Members that every variant has. */
  readonly common: Fields;
  readonly variants: readonly V[];
  /** The variant that a word means; by default its names as they are. */
  readonly find?: (word: string) => V | undefined;
  /** What else the tag may look like, as a regular expression over all words of a variant. */
  readonly pattern?: (variant: V) => string;
  /** Members of variants that are let through while nobody knows which variant is meant; the common ones are still checked. */
  readonly unknownTag?: Fields;
  /** Said of a word that is near none of the known ones, in place of a list of them. */
  readonly ifUnknown?: string;
  /** What people write who know another tool. */
  readonly otherNames?: ReadonlyMap<string, string>;
}

export interface TaggedValue<V extends Variant> {
  readonly variant: V;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Tagged<V extends Variant> extends Shape<TaggedValue<V>> {
  /** The variant that a mapping means, without a word about anything else in it. */
  variantOf(at: Located): V | undefined;
  mappingOf(variant: V): Mapping<Fields>;
}

export function tagged<V extends Variant>(title: string, options: TaggedOptions<V>): Tagged<V> {
  const { tag, common, variants, find, pattern, otherNames, unknownTag, ifUnknown, ...rest } = options;
  const known = variants.map(({ names }) => names[0]);
  const mappings = new Map(
    variants.map((variant) => {
      const fields: Fields = { [tag]: required(text, "decides about the other keys"), ...common, ...variant.fields };
      return [variant, mapping(title, fields, { ...rest, ...variant.options })];
    }),
  );
  const tagField = { [tag]: optional(json, "decides about the other keys") };
  const anyVariant = unknownTag && mapping(title, { ...tagField, ...common, ...unknownTag }, rest);
  const findVariant = (word: string) => find?.(word) ?? variants.find(({ names }) => names.includes(word));

  const variantOf = (at: Located): V | undefined => {
    const found = at.get(tag);
    if (found === undefined) return at.misshapen(`${owner(at)} needs ${tag}. Known are ${known.join(", ")}.`);
    const { value } = found;
    const variant = typeof value === "string" ? findVariant(value) : undefined;
    if (variant !== undefined) return variant;
    if (typeof value !== "string") return found.wrong("a text", `Known are ${known.join(", ")}.`);
    const close = otherNames?.get(value) ?? nearest(value, known);
    const hint = close === undefined ? (ifUnknown ?? `Known are ${known.join(", ")}.`) : `Did you mean ${close}?`;
    return found.misshapen(`unknown ${tag} ${JSON.stringify(value)}. ${hint}`);
  };
  const owner = (at: Located) => (isObject(at.value) ? (rest.titleOf?.(at.value) ?? title) : title);

  return {
    wants: "a mapping",
    type: "mapping",
    kinds: ["mapping"],
    variantOf,
    mappingOf: (variant) => mappings.get(variant)!,
    read(at) {
      if (!isObject(at.value)) return at.wrong("a mapping", "", title);
      const variant = variantOf(at);
      if (variant === undefined) {
        anyVariant?.read(at);
        return undefined;
      }
      const values = mappings.get(variant)!.read(at);
      return values === undefined ? undefined : { variant, values };
    },
    schema: (definitions) => taggedSchema(title, options, definitions),
  };
}

/** Editors complete the tag from the list of names; whatever it then says decides about the keys beside it. */
function taggedSchema<V extends Variant>(
  title: string,
  options: TaggedOptions<V>,
  definitions: Definitions,
): JsonObject {
  const { tag, common, variants, pattern } = options;
  const words = (variant: V): JsonObject =>
    pattern === undefined ? { enum: [...variant.names] } : { type: "string", pattern: pattern(variant) };
  const part = (fields: Fields, own: MappingOptions = {}) =>
    mapping(title, fields, { ...options, ...own, open: true }).schema(definitions);
  const { properties, ...shared } = part(common);
  const spelled = variants.flatMap((variant) =>
    variant.names.length === 1 && pattern === undefined ? [] : [words(variant)],
  );
  return {
    ...shared,
    required: [tag, ...((shared["required"] as readonly Json[] | undefined) ?? [])],
    properties: {
      [tag]: {
        anyOf: [...variants.map(({ names, summary }) => ({ const: names[0], description: summary })), ...spelled],
      },
      ...(properties as JsonObject),
    },
    allOf: [
      ...((shared["allOf"] as readonly Json[] | undefined) ?? []),
      ...variants.map((variant) => ({
        if: { properties: { [tag]: words(variant) }, required: [tag] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          ...part(variant.fields, variant.options),
          ...(variant.options?.open ? { additionalProperties: true } : {}),
        },
      })),
    ],
    ...(options.open ? {} : { unevaluatedProperties: false }),
  };
}
