/** Checks of the candidate text: 0 or 1. `starts_with`, `ends_with` and `equals` trim both sides, the others do not. */

import { compileSchema } from "../json-schema/compile-schema.ts";
import { custom, list } from "../read/collections.ts";
import { optional, preset, required } from "../read/field.ts";
import type { Fields, ValuesOf } from "../read/mapping.ts";
import { json, text } from "../read/scalars.ts";
import { compilePattern } from "../text/pattern.ts";
import type { Json } from "../trace/json.ts";
import { defineEvaluator, type Evaluator, type EvaluatorDefinition } from "./define-evaluator.ts";
import type { Check, Outcome } from "./evaluation.ts";

const contains = oneText("contains", "the answer contains this text", (answer, value) => answer.includes(value));
const icontains = oneText("icontains", "the same, ignoring case", (answer, value) =>
  answer.toLowerCase().includes(value.toLowerCase()),
);
const startsWith = oneText("starts_with", "the answer begins with this text", (answer, value) =>
  answer.trim().startsWith(value.trim()),
);
const endsWith = oneText("ends_with", "the answer ends with this text", (answer, value) =>
  answer.trim().endsWith(value.trim()),
);
const equals = oneText("equals", "the answer is this text", (answer, value) => answer.trim() === value.trim());

const containsAny = manyTexts("contains_any", "the answer contains one of these texts", "any", same);
const containsAll = manyTexts("contains_all", "the answer contains all of these texts", "all", same);
const icontainsAny = manyTexts("icontains_any", "the same, ignoring case", "any", lower);
const icontainsAll = manyTexts("icontains_all", "the same, ignoring case", "all", lower);

const regex = defineTextEvaluator({
  type: "regex",
  aliases: ["matches"],
  summary: "the answer matches this regular expression (linear-time engine)",
  fields: {
    value: required(text, "the expression"),
    flags: preset(text, "", "flags such as i"),
  },
  make(values, at) {
    const compiled = compilePattern(values.value, values.flags);
    return typeof compiled === "string" ? at.get("value")!.problem(`${compiled}.`) : values;
  },
  evaluate({ answer }, { value, flags }) {
    const compiled = compilePattern(value, flags);
    const found = typeof compiled !== "string" && compiled.test(answer);
    return oneCheck(found, found ? `Output matches /${value}/${flags}` : `Output does not match /${value}/${flags}`);
  },
});

const jsonSchema = custom(json, (schema, at) => {
  const compiled = schema === null ? undefined : compileSchema(schema);
  return typeof compiled === "string" ? at.problem(`${compiled}.`) : schema;
});

const isJson = defineTextEvaluator({
  type: "is_json",
  aliases: ["json_schema", "is-valid-json"],
  summary: "the answer is JSON, and valid against a JSON Schema when one is given",
  fields: { schema: optional(jsonSchema, "the JSON Schema", { alias: "value" }) },
  evaluate({ answer }, { schema }) {
    let value: Json;
    try {
      value = JSON.parse(answer) as Json;
    } catch (error) {
      return oneCheck(false, `Output is not valid JSON: ${(error as Error).message}`);
    }
    if (schema === undefined || schema === null) return oneCheck(true, "Output is valid JSON");
    const compiled = compileSchema(schema);
    const problems = typeof compiled === "string" ? [{ path: "", message: compiled }] : compiled.check(value);
    if (problems.length === 0) return oneCheck(true, "Output is valid against the schema");
    const checks = problems.map(({ path, message }) => ({
      passed: false,
      text: `${path || "the document"} ${message}`,
    }));
    return { score: 0, aspects: 1, checks };
  },
});

export const textEvaluators: readonly Evaluator[] = [
  contains,
  containsAny,
  containsAll,
  icontains,
  icontainsAny,
  icontainsAll,
  startsWith,
  endsWith,
  equals,
  regex,
  isJson,
];

/** A run without any message has no answer: then nothing holds, and nothing is known not to hold either. */
function defineTextEvaluator<const F extends Fields, P = ValuesOf<F>>(
  definition: EvaluatorDefinition<F, P>,
): Evaluator {
  return defineEvaluator<F, P>({
    ...definition,
    evaluate: (subject, params, context, passLine) =>
      subject.hasTrace
        ? definition.evaluate(subject, params, context, passLine)
        : { ...oneCheck(false, "There is no answer: the run has no messages"), noData: true },
  });
}

function oneText(type: string, summary: string, test: (answer: string, value: string) => boolean): Evaluator {
  const words = type.replaceAll("_", " ");
  return defineTextEvaluator({
    type,
    summary,
    fields: { value: required(text, "the text") },
    evaluate({ answer }, { value }) {
      const passed = test(answer, value);
      return oneCheck(passed, `${passed ? "Holds" : "Does not hold"}: output ${words} ${JSON.stringify(value)}`);
    },
  });
}

function manyTexts(type: string, summary: string, quantity: "any" | "all", fold: (text: string) => string): Evaluator {
  return defineTextEvaluator({
    type,
    summary,
    fields: { values: required(list(text), "the texts", { key: "value", alias: "values" }) },
    evaluate({ answer }, { values }) {
      const folded = fold(answer);
      const missing = values.filter((value) => !folded.includes(fold(value)));
      const passed = quantity === "all" ? missing.length === 0 : missing.length < values.length;
      return oneCheck(passed, manyWords(quantity, values, missing, passed));
    },
  });
}

function manyWords(
  quantity: "any" | "all",
  values: readonly string[],
  missing: readonly string[],
  passed: boolean,
): string {
  const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(", ");
  if (quantity === "all")
    return passed ? `Output contains all ${values.length} texts` : `Output lacks ${quoted(missing)}`;
  const found = values.filter((value) => !missing.includes(value));
  return passed ? `Output contains ${quoted(found)}` : `Output contains none of: ${quoted(values)}`;
}

function oneCheck(passed: boolean, text: string): Outcome {
  const check: Check = { passed, text };
  return { score: passed ? 1 : 0, aspects: 1, checks: [check] };
}

function same(text: string): string {
  return text;
}

function lower(text: string): string {
  return text.toLowerCase();
}
