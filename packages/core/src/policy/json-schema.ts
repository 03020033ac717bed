/** What a response breaks of a schema, in one line: of all errors the one that says most. And strict JSON. */

import { compareCodePoints } from "../canonical/canonical-json.ts";
import { compileSchema as compile, type SchemaProblem } from "../json-schema/compile-schema.ts";
import type { Json, JsonObject } from "../trace/json.ts";

export interface SchemaError {
  /** Instance path joined with dots, `<root>` when empty. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

export interface ResponseSchema {
  /** The most telling error, or undefined when the value is valid. */
  validate(value: Json): SchemaError | undefined;
}

/** Compiles a schema once; returns the reason as a sentence when it is not valid. `format` is not asserted. */
export function compileResponseSchema(schema: JsonObject): ResponseSchema | string {
  const compiled = compile(schema, { assertFormats: false });
  if (typeof compiled === "string") return `${compiled}.`;
  return {
    validate(value) {
      const problems = compiled.check(value);
      return problems.length === 0 ? undefined : describe(mostTelling(problems));
    },
  };
}

/** A problem with the problems of the alternatives it sums up (anyOf, oneOf and the like). */
interface ProblemNode {
  readonly problem: SchemaProblem;
  readonly path: readonly (string | number)[];
  readonly children: ProblemNode[];
}

/**
 * The shallowest problem, among equals the one with the greatest path; then any but anyOf and oneOf. If it sums up
 * alternatives, the deepest problem inside them, unless two are equally good.
 */
function mostTelling(problems: readonly SchemaProblem[]): ProblemNode {
  let best = buildTree(problems).reduce((left, right) => (compareNodes(right, left) > 0 ? right : left));
  for (;;) {
    const [lowest, second] = [...best.children].sort(compareNodes);
    if (lowest === undefined || (second !== undefined && compareNodes(lowest, second) === 0)) return best;
    best = lowest;
  }
}

/** The problems of alternatives come before the one that sums them up; deeper schema paths belong below it. */
function buildTree(problems: readonly SchemaProblem[]): ProblemNode[] {
  const roots: ProblemNode[] = [];
  for (const problem of problems) {
    const node: ProblemNode = { problem, path: parsePointer(problem.path), children: [] };
    if (ALTERNATIVES.has(problem.keyword)) {
      const below = `${problem.schemaPath}/`;
      while (roots.at(-1)?.problem.schemaPath.startsWith(below)) node.children.unshift(roots.pop()!);
    }
    roots.push(node);
  }
  return roots;
}

const ALTERNATIVES = new Set(["anyOf", "oneOf", "allOf", "not", "if"]);

/** Positive when `left` says more. */
function compareNodes(left: ProblemNode, right: ProblemNode): number {
  if (left.path.length !== right.path.length) return right.path.length - left.path.length;
  for (let index = 0; index < left.path.length; index++) {
    const order = compareKeys(left.path[index]!, right.path[index]!);
    if (order !== 0) return order;
  }
  return Number(isWeak(right)) - Number(isWeak(left));
}

function isWeak({ problem }: ProblemNode): boolean {
  return problem.keyword === "anyOf" || problem.keyword === "oneOf";
}

function compareKeys(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareCodePoints(String(left), String(right));
}

function parsePointer(pointer: string): (string | number)[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^(0|[1-9][0-9]*)$/.test(part) ? Number(part) : part));
}

function describe({ problem, path }: ProblemNode): SchemaError {
  return { path: path.length === 0 ? "<root>" : path.join("."), keyword: problem.keyword, message: problem.message };
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
