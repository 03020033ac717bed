/** Shapes that only policies have: paths, patterns, conditions and names of tools. */
import { custom, oneOrMany } from "../read/collections.ts";
import { describeFound } from "../read/describe-found.ts";
import { optional, required } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import type { Located } from "../read/located.ts";
import { mapping } from "../read/mapping.ts";
import { boolean, choice, filledText, json, text } from "../read/scalars.ts";
import type { Shape } from "../read/shape.ts";
import { compilePattern, type Pattern } from "../text/pattern.ts";
import type { Json } from "../trace/json.ts";
import { isNumber } from "./compare-values.ts";
import { type Condition, type Operator, ORDERS, operators } from "./condition.ts";
import { findContradiction } from "./contradiction.ts";
import { type Path, parsePath } from "./path.ts";
import { formOf } from "./text-order.ts";

/** One name, or a list of names. */
export const names: Shape<readonly string[]> = oneOrMany(text, { min: 1 });
/** The same, and none at all is fine. */
export const anyNames: Shape<readonly string[]> = oneOrMany(text);

/** A path. What can only be a slip is a problem: a rule whose path leads nowhere would be switched off in silence. */
export const pathText: Shape<Path> = custom(
  filledText,
  (written, at) => {
    const path = parsePath(written);
    const { doubtful } = path;
    if (doubtful === undefined) return path;
    const better = doubtful.replace(/\[(\d+|\*)?\]$/, (_all, index: string | undefined) => `.${index ?? "*"}`);
    return at.problem(
      `"${doubtful}" would be the name of a key. For an element of a list write ${better}; for such a key ["${doubtful}"].`,
    );
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

const conditionFields = {
  path: required(pathText, 'where the value stands: request.params.amount, request["a.b"], response.content.*.name'),
  op: required(choice(operators, { otherNames: OTHER_OPERATORS }), operators.join(" ")),
  value: required(json, "what it is compared with; `!=` with null asks whether there is a value"),
};

const condition: Shape<Condition> = named("condition", custom(mapping("a condition", conditionFields), readCondition));

const argumentCondition: Shape<Condition> = named(
  "argumentCondition",
  custom(
    mapping("a condition", {
      ...conditionFields,
      optional: optional(
        boolean,
        "a call without this argument does not satisfy the condition; otherwise it is not evaluated",
      ),
    }),
    readCondition,
  ),
);

function readCondition(
  { path, op, value, optional }: Pick<Condition, "path" | "op" | "value" | "optional">,
  at: Located,
): Condition | undefined {
  const place = at.get("value")!;
  const before = at.errorCount;
  checkValue(op, value, place);
  const pattern = op === "matches_pattern" && typeof value === "string" ? compiled(value, place) : undefined;
  if (at.errorCount > before) return undefined;
  return { path, op, value, ...(pattern === undefined ? {} : { pattern }), ...(optional ? { optional } : {}) };
}

/** One condition or a list of them; all must hold. */
export const conditions: Shape<readonly Condition[]> = named("conditions", listOfConditions(condition));

/** The same for the arguments of a call, where what is missing must be accounted for. */
export const argumentConditions: Shape<readonly Condition[]> = named(
  "argumentConditions",
  listOfConditions(argumentCondition),
);

function listOfConditions(one: Shape<Condition>): Shape<readonly Condition[]> {
  const shape = custom(oneOrMany(one), (read, at): readonly Condition[] | undefined => {
    const contradiction = findContradiction(read);
    return contradiction === undefined
      ? read
      : at.problem(`${contradiction}, so the conditions can never hold together.`);
  });
  return { ...shape, wants: "a condition or a list of conditions", type: "conditions" };
}

/** A value that can never satisfy its operator would switch the rule off in silence. */
function checkValue(op: Operator, value: Json, at: Located): void {
  if (ORDERS.has(op)) {
    if (isNumber(value) || (typeof value === "string" && formOf(value) !== undefined)) return;
    const quoted = typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));
    const hint = quoted ? " Remove the quotes." : "";
    at.problem(
      `"${op}" needs a number, or a date or time as ISO 8601 writes it; found ${describeFound(value)}.${hint}`,
    );
  } else if (op === "longer_than" || op === "shorter_than") {
    if (!isNumber(value)) at.problem(`"${op}" needs a number, found ${describeFound(value)}.`);
    else if (op === "shorter_than" && value <= 0) at.problem(`nothing is shorter than ${value}.`);
  } else if (op === "matches_pattern") {
    if (typeof value !== "string")
      at.problem(`"${op}" needs a regular expression as text, found ${describeFound(value)}.`);
  } else if (op === "in" || op === "not_in") {
    if (!Array.isArray(value)) at.problem(`"${op}" needs a list, found ${describeFound(value)}.`);
    else if (op === "in" && value.every((item) => item === null))
      at.problem(`"${op}" needs a list with at least one value; with ${describeFound(value)} it never matches.`);
  } else if (op === "==" && value === null) {
    at.problem(
      'a path without a value matches nothing, so "==" with null never holds. `!=` with null asks for any value.',
    );
  }
}
