import { optional, preset, required } from "../../read/field.ts";
import { integer } from "../../read/scalars.ts";
import { listOf, shortJson } from "../../text/words.ts";
import { isObject, type Json } from "../../trace/json.ts";
import { valuesAt } from "../path.ts";
import { defineRule } from "../rule.ts";
import { anyNames, names, pathText, pattern } from "../shapes.ts";

interface State {
  /** Values that came out of `from`, with the turn they came in. Changed by results only. */
  readonly values: Map<string, number>;
  readonly calls: number;
  /** Calls of `from` without a recorded output. */
  readonly silent: number;
}

/**
 * A value from one tool's output does not appear in another tool's arguments.
 *
 * What counts as a value: every text or number of the output as a whole, and inside longer texts everything that looks like
 * an identifier (an account number, an address, a link: at least `min_length` characters, one of them a digit, `@`, `/` or
 * `_`). Ordinary words are not followed: they appear everywhere. A paraphrase or an encoded value is not seen.
 */
export const noFlow = defineRule({
  kind: "no_flow",
  summary: "a value from one tool's output must not appear in another tool's arguments",
  params: {
    from: required(names, "the tool, or tools, whose output is watched"),
    to: required(names, "the tool, or tools, whose arguments must not hold it"),
    path: optional(pathText, "only the arguments at this path"),
    minLength: preset(integer({ min: 1 }), 6, "values shorter than this are not followed"),
    allow: preset(anyNames, [], "values that may pass"),
    allowPattern: optional(pattern, "values that match this regular expression may pass"),
  },
  explain: ({ from, to }) =>
    `No value from the output of ${listOf(from, "or")} may appear in the arguments of ${listOf(to, "or")}.`,
  headline: ({ from, to }) => ({
    subject: listOf(to, "or"),
    predicate: `is given a value that came out of ${listOf(from, "or")}`,
  }),
  tools: ({ from, to }) => [...from, ...to],
  argumentPaths: ({ path }) => (path === undefined ? [] : [path]),
  needsResults: () => true,
  start: (): State => ({ values: new Map(), calls: 0, silent: 0 }),

  onCall(state, call, { params, found }) {
    const { name, input } = call.call;
    if (!params.to.includes(name) || input === undefined) return state;
    const places = params.path === undefined ? [input] : valuesAt(params.path, input);
    for (const value of places.flatMap((place) => valuesIn(place, params.minLength))) {
      const from = state.values.get(value);
      if (from === undefined || params.allow.includes(value) || params.allowPattern?.find(value) !== undefined)
        continue;
      found({
        code: "value_flowed",
        message: `${shortJson(value)} came out of ${listOf(params.from, "or")} in turn ${from + 1}.`,
        call,
        subject: name,
        facts: { tool: name, value, fromTurn: from },
      });
      break;
    }
    return { ...state, calls: state.calls + 1 };
  },

  onResult(state, call, { params }) {
    const { name, output, turnIndex } = call.call;
    if (!params.from.includes(name)) return state;
    if (output === undefined) return { ...state, silent: state.silent + 1 };
    for (const value of valuesIn(output, params.minLength))
      if (!state.values.has(value)) state.values.set(value, Math.max(0, turnIndex));
    return state;
  },

  atEnd({ silent }, _end, { params, notEvaluated }) {
    if (silent > 0)
      notEvaluated(
        `the output of ${silent === 1 ? "a call" : `${silent} calls`} of ${listOf(params.from, "or")} was not recorded`,
      );
  },

  seen: ({ calls }, { to }) => ({ amount: calls, noun: `${listOf(to, "or")} call` }),
});

/** A run without white space or quotes; what sets it off from the sentence around it is cut away. */
const RUN = /[^\s"'`<>(){}[\],;=&?]+/g;
const EDGE = /^[.:!?*_-]+|[.:!?*_-]+$/g;
const IDENTIFIER = /[0-9@/_]/;

function valuesIn(value: Json, minLength: number): string[] {
  const found = new Set<string>();
  collect(value, minLength, found);
  return [...found];
}

function collect(value: Json, minLength: number, into: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, minLength, into);
  else if (isObject(value)) for (const key of Object.keys(value)) collect(value[key]!, minLength, into);
  else if (typeof value === "number" || typeof value === "bigint") add(String(value), minLength, into);
  else if (typeof value === "string") {
    add(value.trim(), minLength, into);
    for (const [run] of value.matchAll(RUN)) {
      const word = run.replace(EDGE, "");
      if (IDENTIFIER.test(word)) add(word, minLength, into);
    }
  }
}

function add(value: string, minLength: number, into: Set<string>): void {
  if (value.length >= minLength) into.add(value);
}
