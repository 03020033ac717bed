import { describeType } from "../../text/words.ts";
import { isObject, type Json, type JsonObject } from "../../trace/json.ts";
import { compileResponseSchema, parseStrictJson, type ResponseSchema } from "../json-schema.ts";
import { param } from "../params.ts";
import type { Place } from "../problems.ts";
import { defineRule } from "../rule.ts";

/** Unicode white space, without the byte-order mark: that is no white space in JSON either. */
const OUTER_SPACE =
  /^[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/**
 * Every response's text is JSON that fits a schema. `schema_path` is read by `parsePolicy`, relative to the policy file, and
 * arrives here as `schema`.
 */
export const mustMatchJsonSchema = defineRule({
  kind: "must_match_json_schema",
  summary: "every response's text must be JSON that fits a schema",
  params: {
    schema: param.optionalCustom("schema", "the JSON Schema itself", { type: "object" }, readSchema),
    schemaPath: param.optionalCustom(
      "schema_path",
      "instead of `schema`: a file, relative to the policy file",
      { type: "string", minLength: 1 },
      readSchemaPath,
    ),
  },
  validate({ schema, schemaPath }, place) {
    if (schema === undefined && schemaPath === undefined)
      place.problem("must_match_json_schema needs schema or schema_path.");
    if (schema !== undefined && schemaPath !== undefined)
      place.keyProblem("schema_path", "give either schema or schema_path, not both.");
  },
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

interface SchemaFile {
  readonly file: string;
  readonly compiled: ResponseSchema;
}

function readSchema(value: Json, place: Place): ResponseSchema | undefined {
  if (!isObject(value)) return place.problem(`schema must be a mapping, found ${describeType(value)}.`);
  const compiled = compileResponseSchema(value);
  return typeof compiled === "string" ? place.problem(compiled) : compiled;
}

function readSchemaPath(value: Json, place: Place): SchemaFile | undefined {
  if (typeof value !== "string" || value === "")
    return place.problem(`schema_path must be the name of a file, found ${describeType(value)}.`);
  const loaded = place.readJson(value);
  if (typeof loaded === "string") return place.problem(loaded);
  const compiled = compileResponseSchema(loaded as JsonObject);
  return typeof compiled === "string" ? place.problem(`${value}: ${compiled}`) : { file: value, compiled };
}
