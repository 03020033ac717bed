/** Lists, mappings with free keys, alternatives, and shapes made of other shapes. */
import { listOf } from "../text/words.ts";
import { isObject, type Json, type JsonObject, setMember } from "../trace/json.ts";
import type { Located } from "./located.ts";
import { kindOf, type Shape } from "./shape.ts";

export interface ListOptions {
  /** At least so many items. */
  readonly min?: number;
}

export function list<T, W>(item: Shape<T, W>, { min = 0 }: ListOptions = {}): Shape<readonly T[], readonly W[]> {
  const wants = min === 0 ? "a list" : min === 1 ? "a list with something in it" : `a list of at least ${min}`;
  return {
    wants,
    ...(item.inner === undefined ? {} : { inner: item.inner }),
    type: item.inner === undefined ? `list of ${plural(item.type)}` : "list of mappings",
    kinds: ["list"],
    read: (at) => (Array.isArray(at.value) && at.value.length >= min ? readItems(at, item) : at.wrong(wants)),
    schema: (definitions) => ({
      type: "array",
      items: item.schema(definitions),
      ...(min === 0 ? {} : { minItems: min }),
    }),
  };
}

function readItems<T>(at: Located, item: Shape<T>): readonly T[] | undefined {
  const before = at.errorCount;
  const values = at.items().map((one) => item.read(one));
  return at.errorCount > before ? undefined : (values as T[]);
}

function plural(type: string): string {
  return /^[a-z ]+$/.test(type) && !type.endsWith("s") ? `${type}s` : type;
}

/** One value, or a list of them; always read as a list. */
export function oneOrMany<T, W>(item: Shape<T, W>, options: ListOptions = {}): Shape<readonly T[], W | readonly W[]> {
  const many = list(item, options);
  const wants = `${item.wants} or a list of ${plural(item.wants.replace(/^an? /, ""))}`;
  return {
    wants,
    ...(item.inner === undefined ? {} : { inner: item.inner }),
    type: `${item.type} or ${many.type}`,
    kinds: [...item.kinds, "list"],
    read(at) {
      if (Array.isArray(at.value)) return many.read(at);
      if (!item.kinds.includes(kindOf(at.value))) return at.wrong(wants);
      const value = item.read(at);
      return value === undefined ? undefined : [value];
    },
    schema: (definitions) => ({ anyOf: [item.schema(definitions), many.schema(definitions)] }),
  };
}

export interface RecordOptions {
  /** What a key must match, and in words. */
  readonly keys?: { readonly pattern: RegExp; readonly wants: string };
  /** Keys that begin with `_` are remarks. */
  readonly remarks?: true;
}

/** A mapping whose keys are names of the user's own. */
export function record<T, W>(
  item: Shape<T, W>,
  { keys, remarks }: RecordOptions = {},
): Shape<Readonly<Record<string, T>>, Readonly<Record<string, W>>> {
  return {
    wants: "a mapping",
    type: "mapping",
    kinds: ["mapping"],
    read(at) {
      if (!isObject(at.value)) return at.wrong("a mapping");
      const before = at.errorCount;
      const values: Record<string, T> = {};
      for (const key of at.keys()) {
        if (remarks && key.startsWith("_")) continue;
        if (keys !== undefined && !keys.pattern.test(key)) at.misshapenKey(key, `"${key}" is not ${keys.wants}.`);
        const value = item.read(at.get(key)!);
        if (value !== undefined) setMember(values as Record<string, Json>, key, value as Json);
      }
      return at.errorCount > before ? undefined : values;
    },
    schema: (definitions) => ({
      type: "object",
      ...(keys === undefined ? {} : { propertyNames: { pattern: keys.pattern.source } }),
      ...(remarks ? { patternProperties: { "^_": {} } } : {}),
      additionalProperties: item.schema(definitions),
    }),
  };
}

/** The first shape that takes this kind of value reads it; so a complaint is about what was meant. */
export function oneOf<const S extends readonly Shape<unknown>[]>(
  ...shapes: S
): Shape<S[number] extends Shape<infer T> ? T : never> {
  const wants = listOf(
    shapes.map((shape) => shape.wants),
    "or",
  );
  return {
    wants,
    type: shapes.map((shape) => shape.type).join(" or "),
    kinds: [...new Set(shapes.flatMap((shape) => shape.kinds))],
    read(at) {
      const kind = kindOf(at.value);
      const shape = shapes.find((one) => one.kinds.includes(kind));
      return shape === undefined ? at.wrong(wants) : (shape.read(at) as never);
    },
    schema: (definitions) => ({ anyOf: shapes.map((shape): JsonObject => shape.schema(definitions)) }),
  };
}

export interface CustomOptions {
  readonly wants?: string;
  readonly type?: string;
  /** Added to the schema of the shape it is made from. */
  readonly schema?: JsonObject;
}

/** What a shape read, made into something else; `make` reports what only a computation finds. */
export function custom<T, U, W>(
  shape: Shape<T, W>,
  make: (value: T, at: Located) => U | undefined,
  options: CustomOptions = {},
): Shape<U, W> {
  return {
    ...(shape.inner === undefined ? {} : { inner: shape.inner }),
    wants: options.wants ?? shape.wants,
    type: options.type ?? shape.type,
    kinds: shape.kinds,
    read(at) {
      if (options.wants !== undefined && !shape.kinds.includes(kindOf(at.value))) return at.wrong(options.wants);
      const before = at.errorCount;
      const value = shape.read(at);
      return at.errorCount > before ? undefined : make(value as T, at);
    },
    schema: (definitions) => ({ ...shape.schema(definitions), ...options.schema }),
  };
}

/** A part that is described here and read elsewhere, because reading it needs more than the part itself. */
export function later(shape: Shape<unknown>): Shape<Located> {
  return { ...shape, kinds: ["text", "number", "boolean", "list", "mapping", "null"], read: (at) => at };
}
