/** Whether any value that a schema admits satisfies a condition. A yes may be wrong; a no is certain. */
import { compileSchema } from "../../json-schema/compile-schema.ts";
import { type Json, type JsonObject, member, numberMember } from "../../trace/json.ts";
import { compare, isNumber, type ValueType } from "../compare-values.ts";
import type { Condition } from "../condition.ts";
import { typesOf } from "../contradiction.ts";
import { typesIn } from "./schema-path.ts";

/** Why it can never hold: another type, none of the listed values, outside of the limits. */
export interface Impossible {
  readonly why: "type" | "values" | "limits";
  /** The types or values there are. */
  readonly instead: readonly Json[];
}

export function whyNever(condition: Condition, schemas: readonly JsonObject[]): Impossible | undefined {
  let why: Impossible | undefined;
  const instead = new Set<Json>();
  for (const schema of schemas) {
    const one = whyNeverIn(condition, schema);
    if (one === undefined) return undefined;
    why ??= one;
    for (const value of one.instead) instead.add(value);
  }
  return why === undefined ? undefined : { ...why, instead: [...instead] };
}

function whyNeverIn(condition: Condition, schema: JsonObject): Impossible | undefined {
  const { op, value } = condition;
  const listed = listedValues(schema);
  if (listed !== undefined) {
    const fits = listed.some((one) => one !== null && compare(condition, one));
    return fits ? undefined : { why: "values", instead: listed };
  }
  const types = typesIn(schema);
  if (types !== undefined && !types.some((type) => typesOf(condition).includes(typeNamed(type))))
    return { why: "type", instead: types };
  const wanted = op === "==" ? [value] : op === "in" && Array.isArray(value) ? (value as Json[]) : undefined;
  if (wanted !== undefined && !wanted.some((one) => admits(schema, one))) {
    const integer = types?.includes("integer") && wanted.every((one) => isNumber(one));
    return { why: integer ? "type" : "limits", instead: types ?? [] };
  }
  if (op === "contains" && types?.length === 1 && types[0] === "array") return whyNeverContains(value, schema);
  return isOutside(condition, schema) ? { why: "limits", instead: types ?? [] } : undefined;
}

/** The values of a schema that lists them. */
export function listedValues(schema: JsonObject): readonly Json[] | undefined {
  const values = member(schema, "enum");
  if (Array.isArray(values)) return values as Json[];
  const constant = member(schema, "const");
  return constant === undefined ? undefined : [constant];
}

/** A list whose elements are all of a few values holds none but these. */
function whyNeverContains(value: Json, schema: JsonObject): Impossible | undefined {
  const items = member(schema, "items");
  const listed =
    typeof items === "object" && items !== null && !Array.isArray(items)
      ? listedValues(items as JsonObject)
      : undefined;
  if (listed === undefined || listed.includes(value)) return undefined;
  return { why: "values", instead: listed };
}

function typeNamed(type: string): ValueType {
  return type === "integer" ? "number" : type === "array" ? "list" : (type as ValueType);
}

function admits(schema: JsonObject, value: Json): boolean {
  const compiled = compileSchema(schema, { assertFormats: false });
  return typeof compiled === "string" || compiled.check(value).length === 0;
}

function isOutside({ op, value }: Condition, schema: JsonObject): boolean {
  if (!isNumber(value)) return false;
  const limit = Number(value);
  const most = numberMember(schema, "maximum") ?? Number.POSITIVE_INFINITY;
  const least = numberMember(schema, "minimum") ?? Number.NEGATIVE_INFINITY;
  const below = numberMember(schema, "exclusiveMaximum") ?? Number.POSITIVE_INFINITY;
  const above = numberMember(schema, "exclusiveMinimum") ?? Number.NEGATIVE_INFINITY;
  if (op === ">") return most <= limit || below <= limit;
  if (op === ">=") return most < limit || below <= limit;
  if (op === "<") return least >= limit || above >= limit;
  if (op === "<=") return least > limit || above >= limit;
  const types = typesIn(schema) ?? [];
  if (types.length !== 1 || (types[0] !== "string" && types[0] !== "array")) return false;
  const [longest, shortest] = types[0] === "string" ? ["maxLength", "minLength"] : ["maxItems", "minItems"];
  if (op === "longer_than") return (numberMember(schema, longest!) ?? Number.POSITIVE_INFINITY) <= limit;
  if (op === "shorter_than") return (numberMember(schema, shortest!) ?? 0) >= limit;
  return false;
}
