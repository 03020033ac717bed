import { custom, record } from "../../read/collections.ts";
import { optional } from "../../read/field.ts";
import type { Located } from "../../read/located.ts";
import { filledText, json } from "../../read/scalars.ts";
import { isObject, type JsonObject } from "../../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../../trace/parse-json.ts";
import { compileResponseSchema, parseStrictJson, type ResponseSchema } from "../json-schema.ts";
import { defineRule } from "../rule.ts";

/** Unicode white space, without the byte-order mark: that is no white space in JSON either. */
const OUTER_SPACE =
  /^[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

interface SchemaFile {
  readonly file: string;
  readonly compiled: ResponseSchema;
}

const responseSchema = custom(record(json), (schema, at): ResponseSchema | undefined => {
  const compiled = compileResponseSchema(schema);
  return typeof compiled === "string" ? at.problem(compiled) : compiled;
});

const schemaFile = custom(filledText, (file, at): SchemaFile | undefined => {
  const loaded = readJson(file, at);
  if (typeof loaded === "string") return at.problem(loaded);
  const compiled = compileResponseSchema(loaded);
  return typeof compiled === "string" ? at.problem(`${file}: ${compiled}`) : { file, compiled };
});

/** The JSON object in a file that the policy names; a sentence when there is none. */
function readJson(name: string, at: Located): JsonObject | string {
  const read = at.problems.readReferenced(name);
  if ("problem" in read) return read.problem;
  try {
    const value = parseJson(read.text);
    return isObject(value) ? value : `${name} does not hold a JSON object.`;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `${name} is not valid JSON: ${error.message}.`;
    throw error;
  }
}

/**
 * Every response's text is JSON that fits a schema. `schema_path` is read by `parsePolicy`, relative to the policy file, and
 * arrives here as `schema`.
 */
export const mustMatchJsonSchema = defineRule({
  kind: "must_match_json_schema",
  summary: "every response's text must be JSON that fits a schema",
  params: {
    schema: optional(responseSchema, "the JSON Schema itself"),
    schemaPath: optional(schemaFile, "instead of `schema`: a file, relative to the policy file"),
  },
  paramOptions: { exactlyOne: [["schema", "schemaPath"]] },
  explain: ({ schemaPath }) => `Every response must be JSON that fits ${schemaPath?.file ?? "the schema"}.`,
  headline: ({ schemaPath }) => ({
    subject: "a response",
    predicate: `does not fit ${schemaPath?.file ?? "its JSON Schema"}`,
  }),
  start: () => null,

  onTurn(state, turn, { params, found }) {
    const compiled = params.schema ?? params.schemaPath!.compiled;
    const text = turn.text.replace(OUTER_SPACE, "");
    if (text === "") {
      found({ code: "no_text", message: "The response has no text, so no JSON either.", turn, subject: "no text" });
      return state;
    }
    const parsed = parseStrictJson(text);
    if ("problem" in parsed) {
      found({ code: "not_json", message: `The response is not JSON: ${parsed.problem}.`, turn, subject: "not JSON" });
      return state;
    }
    const error = compiled.validate(parsed.value);
    if (error !== undefined) {
      found({
        code: "schema_mismatch",
        message: `${error.path} ${error.message}.`,
        turn,
        path: error.path,
        subject: `${error.path} ${error.keyword}`,
        facts: { path: error.path, keyword: error.keyword },
      });
    }
    return state;
  },
});
