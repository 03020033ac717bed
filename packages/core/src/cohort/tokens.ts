/**
 * What makes two calls the same call: the tool's name and its arguments in canonical form. What makes two effects the same effect is
 * less: a text of several words (a reason, a summary) is put differently in every run and says nothing about what was done.
 */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import { isObject, type Json, stringifyJson } from "../trace/json.ts";
import type { CohortCall } from "./run.ts";

/** Longer arguments are kept as their hash, so that a run's memory does not grow with the files its calls carry. */
const LONGEST_PLAIN = 96;

/** The token of every call of a run, in order. */
export function callTokens(calls: readonly CohortCall[]): string[] {
  return calls.map(({ name, args }) => tokenOf(name, args));
}

/** The tokens of the calls at these positions as effects: arguments that are free text are left out, also inside of others. */
export function effectTokens(
  calls: readonly CohortCall[],
  positions: readonly number[],
  tokens: readonly string[],
): string[] {
  return positions.map((position) => {
    const { name, args } = calls[position]!;
    // Most arguments hold none, and making a token costs more than looking.
    return args === undefined || !holdsFreeText(args) ? tokens[position]! : tokenOf(name, withoutFreeText(args));
  });
}

/** A string of so many words is free text. Names, ids and dates have fewer; any limit from 4 to 12 tells passed tasks apart alike. */
const FREE_TEXT_WORDS = 4;
const FREE_TEXT = new RegExp(`^\\s*(?:\\S+\\s+){${FREE_TEXT_WORDS - 1}}\\S`);

function isFreeText(value: Json): boolean {
  return typeof value === "string" && FREE_TEXT.test(value);
}

function holdsFreeText(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsFreeText);
  return isObject(value) ? Object.values(value).some(holdsFreeText) : isFreeText(value);
}

function withoutFreeText(value: Json): Json | undefined {
  if (isFreeText(value)) return undefined;
  if (Array.isArray(value)) return value.map(withoutFreeText).filter((entry) => entry !== undefined);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, entry]) => [key, withoutFreeText(entry)] as const);
  return Object.fromEntries(kept.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

function tokenOf(name: string, args: Json | undefined): string {
  return `${name}\u0000${args === undefined ? "" : argumentsText(args)}`;
}

function argumentsText(args: Json): string {
  const text = canonicalOrPlain(args);
  return text.length > LONGEST_PLAIN ? digestText(text) : text;
}

/** Half a surrogate pair has no canonical form; such arguments are still compared, by their plain spelling. */
function canonicalOrPlain(args: Json): string {
  try {
    return canonicalJson(args);
  } catch {
    return stringifyJson(args);
  }
}
