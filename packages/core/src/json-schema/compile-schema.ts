/**
 * JSON Schema (2020-12; `$schema` of draft-07 is read as such) behind one small face, so that the library can be exchanged.
 *
 * What is validated was written by a model, so no schema may take more than linear time on it: `pattern` and `patternProperties` run
 * on RE2 (a pattern that needs look-around is refused), `uniqueItems` compares canonical texts instead of every pair.
 */
import { Ajv07, Ajv2020, type ErrorObject, formats, type Options } from "#ajv";
import { canonicalJson } from "../canonical/canonical-json.ts";
import { compilePattern } from "../text/pattern.ts";
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

/** The library asks for something like a regular expression; it only ever tests with it. */
const regExp = Object.assign(
  (source: string): { test(text: string): boolean; toString(): string } => {
    const pattern = compilePattern(inRe2Syntax(source));
    if (typeof pattern === "string") throw new Error(pattern);
    // The library tells patterns apart by their text.
    return { test: pattern.test, toString: () => `/${source}/` };
  },
  { code: "linear-time patterns" },
);

/** What JavaScript writes otherwise: `\\u00e9` is `\\x{00e9}`, `\\/` a slash. */
function inRe2Syntax(source: string): string {
  return source.replace(
    /\\(u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|.)/gs,
    (all, _kind, braced?: string, plain?: string) => {
      const code = braced ?? plain;
      if (code !== undefined) return `\\x{${code}}`;
      return all === "\\/" ? "/" : all;
    },
  );
}

const fixedOptions: Options = {
  allErrors: true,
  strict: false,
  strictNumbers: false,
  logger: false,
  code: { regExp },
};

/** A compiled schema, or a sentence that says why it is none. Nothing is ever fetched: remote references are an error. */
export function compileSchema(schema: Json, schemaOptions: SchemaOptions = {}): CompiledSchema | string {
  if (!isObject(schema) && typeof schema !== "boolean") return "a JSON Schema is a mapping, true or false";
  const isDraft07 = isObject(schema) && typeof schema["$schema"] === "string" && /draft-0[467]/.test(schema["$schema"]);
  const options = { ...fixedOptions, validateFormats: schemaOptions.assertFormats ?? true };
  const ajv = isDraft07 ? new Ajv07(options) : new Ajv2020(options);
  formats.default(ajv);
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isAsked: boolean, items: readonly Json[]) => !isAsked || areUnique(items),
    error: { message: "must NOT have duplicate items" },
  });
  try {
    const validate = ajv.compile(schema as object | boolean);
    return {
      check: (value) => (validate(value) ? [] : (validate.errors ?? []).map(problemOf)),
    };
  } catch (error) {
    return `this is no valid JSON Schema: ${(error as Error).message}`;
  }
}

/** Equal values have equal canonical texts, so a set of texts finds a duplicate in one pass. */
function areUnique(items: readonly Json[]): boolean {
  return new Set(items.map((item) => canonicalJson(item))).size === items.length;
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
