/** Shapes that only policies have: paths, patterns, conditions and names of tools. */
import { custom, oneOrMany } from "../read/collections.ts";
import { describeFound } from "../read/describe-found.ts";
import { required } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import type { Located } from "../read/located.ts";
import { mapping } from "../read/mapping.ts";
import { choice, filledText, json, text } from "../read/scalars.ts";
import type { Shape } from "../read/shape.ts";
import { compilePattern, type Pattern } from "../text/pattern.ts";
import type { Json } from "../trace/json.ts";
import { type Condition, isNumber, type Operator, operators } from "./conditions.ts";
import { doubtfulSegment, type Path, parsePath } from "./path.ts";

/** One name, or a list of names. */
export const names: Shape<readonly string[]> = oneOrMany(text, { min: 1 });
/** The same, and none at all is fine. */
export const anyNames: Shape<readonly string[]> = oneOrMany(text);

/** A path, with a note about what is probably a slip. */
export const pathText: Shape<Path> = custom(
  filledText,
  (written, at) => {
    const path = parsePath(written);
    const doubtful = doubtfulSegment(path);
    if (doubtful !== undefined) {
      const better = doubtful.replace(/\[(\d+|\*)?\]$/, (_all, index: string | undefined) => `.${index ?? "*"}`);
      at.note(`"${doubtful}" is read as the name of a key. For an element of a list write ${better}.`);
    }
    return path;
  },
  { wants: "a path such as request.params.amount", type: "path" },
);

export const pattern: Shape<Pattern> = custom(filledText, (source, at) => compiled(source, at), {
  wants: "a regular expression as text",
  type: "pattern",
});

function compiled(source: string, at: Located): Pattern | undefined {
  const pattern = compilePattern(source);
  return typeof pattern === "string" ? at.problem(`${pattern}.`) : pattern;
}

/** What people write who know another language. */
const OTHER_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["eq", "=="],
  ["<>", "!="],
  ["!==", "!="],
  ["ne", "!="],
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
  ["not in", "not_in"],
  ["includes", "contains"],
  ["matches", "matches_pattern"],
  ["regex", "matches_pattern"],
]);

const condition: Shape<Condition> = named(
  "condition",
  custom(
    mapping("a condition", {
      path: required(
        pathText,
        'where the value stands: request.params.amount, request["a.b"], response.content.*.name',
      ),
      op: required(choice(operators, { otherNames: OTHER_OPERATORS }), operators.join(" ")),
      value: required(json, "what it is compared with; to compare with nothing, write value: null"),
    }),
    ({ path, op, value }, at): Condition | undefined => {
      const place = at.get("value")!;
      const before = at.errorCount;
      checkValue(op, value, place);
      const pattern = op === "matches_pattern" && typeof value === "string" ? compiled(value, place) : undefined;
      if (at.errorCount > before) return undefined;
      return { path, op, value, ...(pattern === undefined ? {} : { pattern }) };
    },
  ),
);

/** One condition or a list of them; all must hold. */
export const conditions: Shape<readonly Condition[]> = named("conditions", {
  ...oneOrMany(condition),
  wants: "a condition or a list of conditions",
  type: "conditions",
});

/** A value that can never satisfy its operator would switch the rule off in silence. */
function checkValue(op: Operator, value: Json, at: Located): void {
  if (op === ">" || op === ">=" || op === "<" || op === "<=") {
    if (isNumber(value)) return;
    if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
      at.note(`"${op}" compares numbers only; ${describeFound(value)} never matches. Remove the quotes.`);
    else at.problem(`"${op}" needs a number, found ${describeFound(value)}.`);
  } else if (op === "longer_than" || op === "shorter_than") {
    if (!isNumber(value)) at.problem(`"${op}" needs a number, found ${describeFound(value)}.`);
  } else if (op === "matches_pattern") {
    if (typeof value !== "string")
      at.problem(`"${op}" needs a regular expression as text, found ${describeFound(value)}.`);
  } else if ((op === "in" || op === "not_in") && !Array.isArray(value)) {
    at.note(`"${op}" needs a list; with ${describeFound(value)} it never matches.`);
  }
}
