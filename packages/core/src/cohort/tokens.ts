/** What makes two calls the same call: the tool's name and its arguments in canonical form. */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import { stringifyJson } from "../trace/json.ts";
import type { CohortCall } from "./run.ts";

/** Longer arguments are kept as their hash, so that a run's memory does not grow with the files its calls carry. */
const LONGEST_PLAIN = 96;

/** The token of every call of a run, in order. */
export function callTokens(calls: readonly CohortCall[]): string[] {
  return calls.map((call) => `${call.name}\u0000${argumentsText(call)}`);
}

function argumentsText(call: CohortCall): string {
  if (call.args === undefined) return "";
  const text = canonicalOrPlain(call);
  return text.length > LONGEST_PLAIN ? digestText(text) : text;
}

/** Half a surrogate pair has no canonical form; such arguments are still compared, by their plain spelling. */
function canonicalOrPlain(call: CohortCall): string {
  try {
    return canonicalJson(call.args!);
  } catch {
    return stringifyJson(call.args!);
  }
}
