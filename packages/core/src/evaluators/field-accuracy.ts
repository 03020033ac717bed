/**
 * field_accuracy: the answer is JSON and its fields are compared with the expected data. The score is the weight of the
 * fields that agree over the weight of all fields; a missing optional field has no weight.
 */

import { list } from "../read/collections.ts";
import { ignored, preset, required } from "../read/field.ts";
import { mapping, type ValuesOf } from "../read/mapping.ts";
import { boolean, choice, number, text } from "../read/scalars.ts";
import type { Read } from "../read/shape.ts";
import { shortJson } from "../text/words.ts";
import { isObject, type Json, jsonEqual, member } from "../trace/json.ts";
import { defineEvaluator } from "./define-evaluator.ts";
import type { Check, EvaluationSubject, Outcome } from "./evaluation.ts";
import { parseDay } from "./parse-day.ts";

const field = mapping("a field", {
  path: required(text, "where the value stands: items[1].price"),
  match: preset(choice(["exact", "numeric_tolerance", "date"]), "exact", "how the two values are compared"),
  tolerance: preset(number({ min: 0 }), 0, "how far numbers may be apart"),
  relative: preset(boolean, false, "the tolerance is a share of the expected number"),
  weight: preset(number({ min: 0 }), 1, "its share in the score"),
  required: preset(boolean, true, "whether a missing field counts"),
  formats: ignored("dates are recognised by their shape"),
});
type Field = Read<typeof field>;

const fieldAccuracyFields = {
  fields: required(list(field), "the fields that are compared"),
  aggregation: preset(choice(["weighted_average", "all_or_nothing"]), "weighted_average", "how fields become a score"),
};

export const fieldAccuracy = defineEvaluator({
  type: "field_accuracy",
  summary: "fields of a JSON answer agree with the expected data: exactly, within a tolerance, or as dates",
  fields: fieldAccuracyFields,
  evaluate: compareFields,
});

function compareFields(
  subject: EvaluationSubject,
  { fields, aggregation }: ValuesOf<typeof fieldAccuracyFields>,
): Outcome {
  const candidate = parseAnswer(subject.answer);
  if (candidate === undefined) return nothing("Failed to parse candidate answer as JSON");
  const expected = expectedData(subject);
  if (expected === undefined)
    return nothing("No expected data: the case has no expected messages with structured content");
  const compared = fields.map((field) =>
    compareField(field, valueAt(candidate, field.path), valueAt(expected, field.path)),
  );
  const weight = compared.reduce((sum, result, index) => sum + (result.counts ? fields[index]!.weight : 0), 0);
  const reached = compared.reduce(
    (sum, result, index) => sum + (result.counts && result.passed ? fields[index]!.weight : 0),
    0,
  );
  const average = weight === 0 ? 0 : reached / weight;
  const score = aggregation === "all_or_nothing" ? (average === 1 ? 1 : 0) : average;
  const checks: Check[] = compared.map(({ passed, text }) => ({ passed, text }));
  return { score, aspects: fields.length, checks };
}

interface Compared extends Check {
  /** A missing optional field takes no part in the score. */
  readonly counts: boolean;
}

function compareField(field: Field, actual: Json | undefined, expected: Json | undefined): Compared {
  const { path } = field;
  if (expected === undefined) return { passed: true, counts: true, text: `${path}: no expected value` };
  if (actual === undefined && !field.required)
    return { passed: true, counts: false, text: `${path}: optional field missing` };
  if (actual === undefined) return { passed: false, counts: true, text: `${path} (required, missing)` };
  switch (field.match) {
    case "exact":
      return { ...compareExactly(path, actual, expected), counts: true };
    case "numeric_tolerance":
      return { ...compareNumbers(field, actual, expected), counts: true };
    case "date":
      return { ...compareDates(path, actual, expected), counts: true };
  }
}

function compareExactly(path: string, actual: Json, expected: Json): Check {
  if (jsonEqual(actual, expected)) return { passed: true, text: path };
  return { passed: false, text: `${path} (got ${shortJson(actual)}, expected ${shortJson(expected)})` };
}

function compareNumbers({ path, tolerance, relative }: Field, actual: Json, expected: Json): Check {
  const left = toNumber(actual);
  const right = toNumber(expected);
  if (left === undefined || right === undefined) return { passed: false, text: `${path} (non-numeric value)` };
  const difference = Math.abs(left - right);
  const allowed = relative ? tolerance * Math.abs(right) : tolerance;
  const passed = difference <= allowed + Number.EPSILON * Math.max(Math.abs(left), Math.abs(right));
  const words = passed ? "within tolerance" : "outside tolerance";
  return {
    passed,
    text: `${path} (${words}: ${left} against ${right}, allowed ${tolerance}${relative ? " relative" : ""})`,
  };
}

function compareDates(path: string, actual: Json, expected: Json): Check {
  const left = parseDay(actual);
  const right = parseDay(expected);
  if (left === undefined) return { passed: false, text: `${path} (${shortJson(actual)} is not a date)` };
  if (right === undefined)
    return { passed: false, text: `${path} (the expected ${shortJson(expected)} is not a date)` };
  return { passed: left === right, text: left === right ? path : `${path} (got ${left}, expected ${right})` };
}

function toNumber(value: Json): number | undefined {
  if (typeof value === "bigint") return Number(value);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The answer as JSON: as it is, or what stands between the first `{` and the last `}` (code fences, prose around it). */
function parseAnswer(answer: string): Json | undefined {
  for (const text of [answer, answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1)]) {
    try {
      const value = JSON.parse(text) as Json;
      if (isObject(value)) return value;
    } catch {
      // The next reading is tried.
    }
  }
  return undefined;
}

function expectedData({ task }: EvaluationSubject): Json | undefined {
  const last = task.expectedMessages?.findLast((message) => member(message, "role") === "assistant");
  const content = member(last, "content");
  if (typeof content !== "string") return content;
  return parseAnswer(content);
}

/** `items[1].q`: dots and indexes. */
function valueAt(value: Json, path: string): Json | undefined {
  let current: Json | undefined = value;
  for (const [, index, key] of path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)) {
    if (index !== undefined) current = Array.isArray(current) ? (current as readonly Json[])[Number(index)] : undefined;
    else
      current =
        Array.isArray(current) && /^\d+$/.test(key!)
          ? (current as readonly Json[])[Number(key)]
          : member(current, key!);
  }
  return current;
}

function nothing(text: string): Outcome {
  return { score: 0, aspects: 1, checks: [{ passed: false, text }], noData: true };
}
