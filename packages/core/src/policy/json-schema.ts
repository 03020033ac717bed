/**
 * JSON Schema for rules: schemas are compiled once, and of a response's errors the one is named that says most. The draft
 * is the one `$schema` names (2020-12 by default, 2019-09, draft-07, draft-06). `format` is not asserted.
 */
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import { type Json, type JsonObject, stringMember } from "../trace/json.ts";

export interface SchemaError {
  /** Instance path joined with dots, `<root>` when empty. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

export interface CompiledSchema {
  /** The most telling error, or undefined when the value is valid. */
  validate(value: unknown): SchemaError | undefined;
}

/** Compiles a schema; returns the reason as a sentence when it is not valid. */
export function compileSchema(schema: JsonObject): CompiledSchema | string {
  const ajv = validatorFor(stringMember(schema, "$schema"));
  if (typeof ajv === "string") return ajv;
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(schema as Record<string, unknown>);
  } catch (error) {
    return `the schema is not valid: ${(error as Error).message.replace(/^schema is invalid: /, "").replaceAll("data/", "/")}.`;
  }
  return { validate: (value) => (validate(value) ? undefined : describe(mostTelling(validate.errors ?? []))) };
}

const OPTIONS = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  strictNumbers: false,
  verbose: true,
  logger: false,
} as const;

function validatorFor(draft: string | undefined): Ajv | string {
  const name = draft?.replace(/#$/, "");
  if (name === undefined || name === "https://json-schema.org/draft/2020-12/schema") return new Ajv2020(OPTIONS);
  if (name === "https://json-schema.org/draft/2019-09/schema") return new Ajv2019(OPTIONS);
  if (name === "http://json-schema.org/draft-07/schema") return new Ajv(OPTIONS);
  if (name === "http://json-schema.org/draft-06/schema") return new Ajv(OPTIONS).addMetaSchema(draft6);
  return `the draft ${JSON.stringify(draft)} is not supported; use 2020-12, 2019-09, draft-07 or draft-06.`;
}

/** An error with the errors of the alternatives it sums up (anyOf, oneOf and the like). */
interface ErrorNode {
  readonly error: ErrorObject;
  readonly path: readonly (string | number)[];
  readonly children: ErrorNode[];
}

/**
 * The shallowest error, among equals the one with the greatest path; then any but anyOf and oneOf; then one whose type does
 * not fit. If it sums up alternatives, the deepest error inside them, unless two are equally good.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorNode {
  let best = buildTree(errors).reduce((left, right) => (compareNodes(right, left) > 0 ? right : left));
  for (;;) {
    const ranked = [...best.children].sort(compareNodes);
    const [lowest, second] = ranked;
    if (lowest === undefined || (second !== undefined && compareNodes(lowest, second) === 0)) return best;
    best = lowest;
  }
}

/** Ajv lists the errors of alternatives before the error that sums them up; deeper schema paths belong below it. */
function buildTree(errors: readonly ErrorObject[]): ErrorNode[] {
  const roots: ErrorNode[] = [];
  for (const error of errors) {
    const node: ErrorNode = { error, path: parsePointer(error.instancePath, error), children: [] };
    if (ALTERNATIVES.has(error.keyword)) {
      while (roots.length > 0 && roots[roots.length - 1]!.error.schemaPath.startsWith(`${error.schemaPath}/`))
        node.children.unshift(roots.pop()!);
    }
    roots.push(node);
  }
  return roots;
}

const ALTERNATIVES = new Set(["anyOf", "oneOf", "allOf", "not", "if"]);

/** Positive when `left` says more. */
function compareNodes(left: ErrorNode, right: ErrorNode): number {
  if (left.path.length !== right.path.length) return right.path.length - left.path.length;
  for (let index = 0; index < left.path.length; index++) {
    const order = compareKeys(left.path[index]!, right.path[index]!);
    if (order !== 0) return order;
  }
  const weak = (node: ErrorNode) => node.error.keyword === "anyOf" || node.error.keyword === "oneOf";
  if (weak(left) !== weak(right)) return weak(left) ? -1 : 1;
  return 0;
}

function compareKeys(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [one, other] = [String(left), String(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function parsePointer(pointer: string, _error: ErrorObject): (string | number)[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^(0|[1-9][0-9]*)$/.test(part) ? Number(part) : part));
}

function describe({ error, path }: ErrorNode): SchemaError {
  return {
    path: path.length === 0 ? "<root>" : path.join("."),
    keyword: error.keyword,
    message: error.message ?? "does not fit",
  };
}

/** Strict JSON: what a browser's parser takes. Names the literal that is not JSON, or the line of the mistake. */
export function parseStrictJson(text: string): { value: Json } | { problem: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const literal = /(?<![\w"])(-?Infinity|NaN)(?![\w"])/.exec(withoutStrings(text));
    if (literal !== null) return { problem: `${literal[1]} is not a JSON value` };
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = text.slice(0, position === undefined ? 0 : Number(position)).split("\n").length;
    return { problem: `the text is not JSON (line ${line})` };
  }
}

function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
}
