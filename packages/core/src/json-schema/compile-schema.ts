/** JSON Schema (2020-12; `$schema` of draft-07 is read as such) behind one small face, so that the library can be exchanged. */
import { Ajv07, Ajv2020, type ErrorObject, formats, type Options } from "#ajv";
import { isObject, type Json } from "../trace/json.ts";

export interface SchemaProblem {
  /** `/items/0/price`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  readonly keyword: string;
  /** Where in the schema: `#/properties/price/type`. */
  readonly schemaPath: string;
}

export interface SchemaOptions {
  /** Whether `format` is asserted; true unless told otherwise. */
  readonly assertFormats?: boolean;
}

export interface CompiledSchema {
  /** Every way in which the value breaks the schema; empty when it is valid. */
  check(value: Json): SchemaProblem[];
}

const fixedOptions: Options = { allErrors: true, strict: false, strictNumbers: false, logger: false };

/** A compiled schema, or a sentence that says why it is none. Nothing is ever fetched: remote references are an error. */
export function compileSchema(schema: Json, schemaOptions: SchemaOptions = {}): CompiledSchema | string {
  if (!isObject(schema) && typeof schema !== "boolean") return "a JSON Schema is a mapping, true or false";
  const isDraft07 = isObject(schema) && typeof schema["$schema"] === "string" && /draft-0[467]/.test(schema["$schema"]);
  const options = { ...fixedOptions, validateFormats: schemaOptions.assertFormats ?? true };
  const ajv = isDraft07 ? new Ajv07(options) : new Ajv2020(options);
  formats.default(ajv);
  try {
    const validate = ajv.compile(schema as object | boolean);
    return {
      check: (value) => (validate(value) ? [] : (validate.errors ?? []).map(problemOf)),
    };
  } catch (error) {
    return `this is no valid JSON Schema: ${(error as Error).message}`;
  }
}

function problemOf(error: ErrorObject): SchemaProblem {
  const extra = error.keyword === "additionalProperties" ? ` (${String(error.params["additionalProperty"])})` : "";
  return {
    path: error.instancePath,
    message: `${error.message ?? "is not valid"}${extra}`,
    keyword: error.keyword,
    schemaPath: error.schemaPath,
  };
}
