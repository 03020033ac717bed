/**
 * field_accuracy: the answer is JSON and its fields are compared with the expected data. The score is the weight of the
 * fields that agree over the weight of all fields; a missing optional field has no weight.
 */
import { isObject, type Json, jsonEqual, member } from "../trace/json.ts";
import { defineEvaluator } from "./define-evaluator.ts";
import { EntryReader, shown } from "./entry-reader.ts";
import type { Check, EvaluationSubject, Outcome } from "./evaluation.ts";
import { parseDay } from "./parse-day.ts";

interface Field {
  readonly path: string;
  readonly match: "exact" | "numeric_tolerance" | "date";
  readonly tolerance: number;
  readonly relative: boolean;
  readonly weight: number;
  readonly required: boolean;
}

interface FieldParams {
  readonly fields: readonly Field[];
  readonly aggregation: "weighted_average" | "all_or_nothing";
}

export const fieldAccuracy = defineEvaluator<FieldParams>({
  type: "field_accuracy",
  summary: "fields of a JSON answer agree with the expected data: exactly, within a tolerance, or as dates",
  parse(entry) {
    const list = entry.list("fields");
    if (!entry.has("fields")) entry.missing('needs "fields", a list');
    const fields = (list ?? []).flatMap((raw, index) => parseField(raw, index, entry));
    const aggregation = entry.choice("aggregation", ["weighted_average", "all_or_nothing"]) ?? "weighted_average";
    return { fields, aggregation };
  },
  evaluate: compareFields,
});

function parseField(raw: Json, index: number, entry: EntryReader): Field[] {
  const path = [...entry.path, "fields", index];
  if (!isObject(raw)) {
    entry.problems.add(path, `a field of ${entry.title} must be a mapping with "path", found ${shown(raw)}.`);
    return [];
  }
  const field = new EntryReader(raw, path, entry.problems, `field ${index + 1} of ${entry.title}`);
  const name = field.string("path");
  if (!field.has("path")) field.missing('needs "path"');
  const parsed: Field = {
    path: name ?? "",
    match: field.choice("match", ["exact", "numeric_tolerance", "date"]) ?? "exact",
    tolerance: field.number("tolerance") ?? 0,
    relative: field.boolean("relative") ?? false,
    weight: field.number("weight") ?? 1,
    required: field.boolean("required") ?? true,
  };
  field.ignored("formats", "dates are recognised by their shape");
  field.refuseUnknown();
  return [parsed];
}

function compareFields(subject: EvaluationSubject, { fields, aggregation }: FieldParams): Outcome {
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
  return { passed: false, text: `${path} (got ${shown(actual)}, expected ${shown(expected)})` };
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
  if (left === undefined) return { passed: false, text: `${path} (${shown(actual)} is not a date)` };
  if (right === undefined) return { passed: false, text: `${path} (the expected ${shown(expected)} is not a date)` };
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
