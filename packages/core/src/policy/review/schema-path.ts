/**
 * What the JSON Schema of a tool says about the argument at a path. References and alternatives are followed; what cannot be
 * told (a condition inside the schema, a reference elsewhere) is taken as anything, so that nothing possible is called impossible.
 */
import { isObject, type Json, type JsonObject, member } from "../../trace/json.ts";
import type { Path } from "../path.ts";

export type SchemaAnswer =
  | { readonly kind: "anything" }
  /** One of these schemas describes it. */
  | { readonly kind: "described"; readonly schemas: readonly JsonObject[] }
  | Missing;

/** No argument is called so. */
export interface Missing {
  readonly kind: "missing";
  /** Whether the schema leaves no room for others. */
  readonly closed: boolean;
  /** How many segments lead somewhere, and what is there instead of the next. */
  readonly depth: number;
  readonly keys: readonly string[];
}

export function lookUpSchema(root: JsonObject, path: Path): SchemaAnswer {
  let schemas = flatten(root, root, 0);
  for (const [depth, segment] of path.segments.entries()) {
    const steps = schemas.map((schema) => step(schema, segment, root));
    if (steps.some((one) => one === undefined)) return { kind: "anything" };
    const found = steps.flatMap((one) => (Array.isArray(one) ? one : []));
    if (found.length === 0) {
      const missing = steps.filter((one): one is Lack => one !== undefined && !Array.isArray(one));
      const keys = [...new Set(missing.flatMap((one) => one.keys))];
      return { kind: "missing", closed: missing.every(({ closed }) => closed), depth, keys };
    }
    schemas = found;
  }
  return { kind: "described", schemas };
}

type Lack = Pick<Missing, "closed" | "keys">;

/** The schemas behind one segment, what is lacking, or undefined where it may be anything. */
function step(schema: JsonObject, segment: string | undefined, root: JsonObject): JsonObject[] | Lack | undefined {
  const properties = member(schema, "properties");
  const named = isObject(properties) ? properties : {};
  if (segment === undefined) {
    const members = Object.keys(named).map((key) => named[key]!);
    const items = member(schema, "items");
    const all = items === undefined ? members : [...members, items];
    return all.length === 0 ? unlessScalar(schema) : all.flatMap((one) => flatten(one, root, 0));
  }
  if (Object.hasOwn(named, segment)) return flatten(named[segment]!, root, 0);
  if (/^[0-9]+$/.test(segment) && admits(schema, "array")) {
    const first = member(schema, "prefixItems");
    const item = (Array.isArray(first) ? first[Number(segment)] : undefined) ?? member(schema, "items");
    if (item !== undefined) return flatten(item as Json, root, 0);
    if (!admits(schema, "object")) return undefined;
  }
  const others = member(schema, "additionalProperties");
  if (member(schema, "patternProperties") !== undefined) return undefined;
  if (isObject(others)) return flatten(others, root, 0);
  const keys = Object.keys(named);
  if (others === false) return { closed: true, keys };
  return keys.length === 0 ? unlessScalar(schema) : { closed: false, keys };
}

/** A number or a text has no members. */
function unlessScalar(schema: JsonObject): Lack | undefined {
  return admits(schema, "object") || admits(schema, "array") ? undefined : { closed: true, keys: [] };
}

function admits(schema: JsonObject, type: string): boolean {
  const types = typesIn(schema);
  return types === undefined || types.includes(type);
}

/** The types a schema names, in JSON Schema's words; undefined when it names none. */
export function typesIn(schema: JsonObject): readonly string[] | undefined {
  const type = member(schema, "type");
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  // Some model APIs write them in capitals.
  return types.length === 0 ? undefined : types.map((one) => one.toLowerCase());
}

const MAX_DEPTH = 20;
const MAX_ALTERNATIVES = 100;

/** The alternatives of a schema, each without references, `anyOf`, `oneOf` and `allOf`. An empty one admits anything. */
function flatten(schema: Json, root: JsonObject, depth: number): JsonObject[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [{}];
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  let alternatives: JsonObject[] = [own];
  if ($ref !== undefined) alternatives = both(alternatives, flatten(resolve($ref, root), root, depth + 1));
  for (const part of Array.isArray(allOf) ? allOf : [])
    alternatives = both(alternatives, flatten(part as Json, root, depth + 1));
  for (const choices of [anyOf, oneOf])
    if (Array.isArray(choices) && choices.length > 0)
      alternatives = both(
        alternatives,
        choices.flatMap((one) => flatten(one as Json, root, depth + 1)),
      );
  return alternatives.length > MAX_ALTERNATIVES ? [{}] : alternatives;
}

function both(left: readonly JsonObject[], right: readonly JsonObject[]): JsonObject[] {
  return left.flatMap((one) => right.map((other) => merge(one, other)));
}

function merge(left: JsonObject, right: JsonObject): JsonObject {
  const [leftProperties, rightProperties] = [member(left, "properties"), member(right, "properties")];
  const merged: Record<string, Json> = { ...left, ...right };
  if (isObject(leftProperties) && isObject(rightProperties)) {
    merged["properties"] = { ...leftProperties, ...rightProperties };
    // Each part closes only what it names itself; whether the whole is closed is more than can be told here.
    delete merged["additionalProperties"];
  }
  return merged;
}

function resolve(ref: Json | undefined, root: JsonObject): Json {
  if (typeof ref !== "string" || !ref.startsWith("#")) return {};
  let value: Json | undefined = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = Array.isArray(value) ? (value[Number(key)] as Json | undefined) : member(value, key);
  }
  return value ?? {};
}
