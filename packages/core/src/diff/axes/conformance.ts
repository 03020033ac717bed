/**
 * Conformance axis: does the output keep its format?
 *
 * Where the baseline writes JSON, each side scores 1 when its text parses; where the baseline calls a tool with named arguments,
 * the candidate scores 1 when its first such call has the same top-level keys. Other pairs are out of scope.
 * Sees broken JSON and drifted argument names. Blind to values, to nested keys, and to whether a schema is met.
 */
import { sortedKeys } from "../../canonical/canonical-json.ts";
import { isObject } from "../../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../../trace/parse-json.ts";
import type { Axis } from "../axis.ts";
import { LESS_IS_WORSE } from "../direction.ts";
import type { FactsTable, TurnFacts } from "../turn-facts.ts";

export const conformanceAxis = {
  name: "conformance",
  unit: "share",
  grading: "rate",
  statistic: "mean",
  readsText: true,
  largeMove: 1,
  meaning: LESS_IS_WORSE,
  words: {
    is: "output format",
    more: "Replies keep their format more often",
    less: "Replies break their format more often",
    noData: "no reply is JSON or calls a tool",
  },
  measure(pairs, { table }) {
    const baseline = new Float64Array(pairs.length).fill(Number.NaN);
    const candidate = new Float64Array(pairs.length).fill(Number.NaN);
    const keysOf = createKeyReader(table);
    pairs.forEach((pair, index) => {
      const text = stripFence(pair.baseline.text);
      if (/^[{[]/.test(text)) {
        baseline[index] = parses(text) ? 1 : 0;
        candidate[index] = parses(stripFence(pair.candidate.text)) ? 1 : 0;
        return;
      }
      const expected = firstKeys(keysOf, pair.baseline);
      if (expected === undefined) return;
      baseline[index] = 1;
      candidate[index] = firstKeys(keysOf, pair.candidate) === expected ? 1 : 0;
    });
    return { baseline, candidate };
  },
} as const satisfies Axis;

/** The text inside a Markdown code fence, or the text itself, trimmed. */
function stripFence(text: string): string {
  let body = text.trim();
  if (!body.startsWith("```")) return body;
  const newline = body.indexOf("\n");
  body = newline >= 0 ? body.slice(newline + 1) : body.slice(3).replace(/^[A-Za-z0-9]+/, "");
  body = body.trimEnd();
  return (body.endsWith("```") ? body.slice(0, -3) : body).trim();
}

function parses(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

/** Keys of the first call whose arguments are an object. */
function firstKeys(keysOf: (callId: number) => string | undefined, facts: TurnFacts): string | undefined {
  for (const id of facts.calls) {
    const keys = keysOf(id);
    if (keys !== undefined) return keys;
  }
  return undefined;
}

/** The argument names of a call as one text, worked out once per distinct call. */
function createKeyReader(table: FactsTable): (callId: number) => string | undefined {
  const known = new Map<number, string | undefined>();
  return (callId) => {
    if (!known.has(callId)) {
      const { input } = table.call(callId);
      known.set(callId, isObject(input) ? JSON.stringify(sortedKeys(input)) : undefined);
    }
    return known.get(callId);
  };
}
