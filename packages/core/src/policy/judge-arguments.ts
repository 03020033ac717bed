/**
 * The arguments of a call against the conditions of a rule that forbids or counts calls. Three answers: they satisfy all, they
 * fail one for certain, or it cannot be told. An amount that is missing, written as text, wrapped in a list, not JSON at all or
 * redacted may be anything; a rule that let it pass would be satisfied by whoever writes it in another way.
 */
import { shortJson } from "../text/words.ts";
import { isObject, type Json } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { compare, isComparable } from "./compare-values.ts";
import type { Condition } from "./condition.ts";
import { branchesAt } from "./path.ts";

export type ArgumentsAnswer =
  | { readonly kind: "satisfied"; readonly values: readonly Json[] }
  | { readonly kind: "failed" }
  | { readonly kind: "unknown"; readonly why: string };

const FAILED: ArgumentsAnswer = { kind: "failed" };

export function judgeArguments(call: ToolCall, conditions: readonly Condition[]): ArgumentsAnswer {
  const { name, input } = call;
  if (conditions.length === 0) return { kind: "satisfied", values: [] };
  if (input === undefined) return unknown(`a call of ${name} was recorded without its arguments`);
  const answer = judgeAll(input, conditions, ARGUMENTS);
  if (answer.kind !== "unknown") return answer;
  return unknown(
    typeof input === "string" ? `a call of ${name} has arguments that are not JSON` : `${name} ${answer.why}`,
  );
}

/** The same for what a tool returned. */
export function judgeResult(name: string, data: Json, conditions: readonly Condition[]): ArgumentsAnswer {
  const answer = judgeAll(data, conditions, RESULT);
  return answer.kind === "unknown" ? unknown(`${name} ${answer.why}`) : answer;
}

/** How a value is spoken of that is there, and one that is not. */
interface Words {
  readonly has: string;
  readonly lacks: string;
}

const ARGUMENTS: Words = { has: "was called with", lacks: "was called without" };
const RESULT: Words = { has: "returned", lacks: "returned nothing as" };

function judgeAll(input: Json, conditions: readonly Condition[], words: Words): ArgumentsAnswer {
  const values: Json[] = [];
  let why: string | undefined;
  for (const condition of conditions) {
    const answer = judge(condition, input, words);
    // One condition that certainly fails decides, whatever is unknown about the others.
    if (answer === undefined) return FAILED;
    if ("value" in answer) values.push(answer.value);
    else why ??= answer.why;
  }
  return why === undefined ? { kind: "satisfied", values } : unknown(why);
}

function unknown(why: string): ArgumentsAnswer {
  return { kind: "unknown", why };
}

/** The value for which it holds, why that cannot be told, or undefined when it holds for none. */
function judge(
  condition: Condition,
  input: Json,
  { has, lacks }: Words,
): { value: Json } | { why: string } | undefined {
  const { path, op, value: expected } = condition;
  const { values, missing } = branchesAt(path, input);
  let why: string | undefined;
  for (const value of values) {
    const hidden = isRedacted(
      FOUND_DESPITE.has(op) && typeof value === "string" ? value.replaceAll(BY_RULE, "") : value,
    );
    const holds = compare(condition, value);
    if (holds && isComparable(condition, value) && (!hidden || FOUND_DESPITE.has(op))) return { value };
    if (hidden) why ??= `${has} ${path.text} redacted`;
    else if (!isComparable(condition, value))
      why ??= `${has} ${path.text} ${shortJson(value)}, which cannot be compared with ${shortJson(expected)}`;
  }
  if (why !== undefined) return { why };
  // To ask whether there is a value is to know what follows when there is none.
  const accepted = condition.optional === true || (op === "!=" && expected === null);
  return missing && !accepted ? { why: `${lacks} ${path.text}` } : undefined;
}

/** What was found in a text stays found, whatever else in it was made unreadable. */
const FOUND_DESPITE: ReadonlySet<string> = new Set(["contains", "matches_pattern"]);

/** What a rule took out, nobody read: it hides nothing from rules that look for a text. */
const BY_RULE = /\[REDACTED by [\w.-]+\]/g;

const MARK = /\[(?:REDACTED|FILTERED|MASKED|removed)\b[^\]]*\]|<(?:redacted|masked|filtered)\b[^>]*>/i;
/** Nothing but a curtain. */
const CURTAIN = /^\s*[*•█]{3,}\s*$/;

/** Whether a recorder took something out of the value before it was written. */
export function isRedacted(value: Json): boolean {
  if (typeof value === "string") return MARK.test(value) || CURTAIN.test(value);
  if (Array.isArray(value)) return value.some(isRedacted);
  return isObject(value) && Object.keys(value).some((key) => isRedacted(value[key]!));
}
