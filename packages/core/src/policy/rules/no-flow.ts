import { optional, preset, required } from "../../read/field.ts";
import { integer } from "../../read/scalars.ts";
import { isTool } from "../../text/tool-name.ts";
import { listOf, shortJson } from "../../text/words.ts";
import { isObject, type Json } from "../../trace/json.ts";
import type { ToolCall } from "../../trace/trace.ts";
import { MAX_REMEMBERED, tooMany } from "../layered-map.ts";
import { type Path, valuesAt } from "../path.ts";
import { defineRule } from "../rule.ts";
import { anyNames, names, pathText, pattern } from "../shapes.ts";
import { withLast, without } from "../short-list.ts";
import { Haystack, type KnownValue, ValueIndex } from "../value-index.ts";

interface State {
  /** Values that came out of `from`, with the turn they came in. Changed by results only. */
  readonly values: ValueIndex;
  /** Calls of `to` that were made after something came out of `from`. */
  readonly calls: number;
  readonly returned: boolean;
  /** Positions of calls of `from` that have not ended, and of those after which `to` was called. */
  readonly open: readonly number[];
  readonly suspects: readonly number[];
  /** Calls of `from` without a recorded output. */
  readonly silent: number;
  /** More values came out than are remembered. */
  readonly overflowed: boolean;
}

/** Enough to tell what never ended; calls whose results are never told would fill any list. */
const MAX_OPEN = 256;

/** What a running agent's tools return is kept up to so much in all. */
const MAX_CHARACTERS = 2 ** 24;

/**
 * A value from one tool's output does not appear in another tool's arguments.
 *
 * What counts as a value: every text or number of the output as a whole, and inside longer texts everything that looks like
 * an identifier (an account number, an address, a link: at least `min_length` characters, one of them a digit, `@`, `/` or
 * `_`) or that is named as a secret (`password: …`). It is found again inside longer words and links, in keys, in another letter case
 * and without its spaces. Ordinary words are not followed: they appear everywhere. A paraphrase or an encoded value is not seen.
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
  claims: ({ from, to }) => ({ needs: [from, to] }),
  argumentPaths: ({ path }) => (path === undefined ? [] : [path]),
  needsResults: () => true,
  readsOutputOf: ({ from }) => from,
  effects: () => ["ask"],
  start: ({ minLength }): State => ({
    values: new ValueIndex(minLength),
    calls: 0,
    returned: false,
    open: [],
    suspects: [],
    silent: 0,
    overflowed: false,
  }),

  save: ({ values, ...rest }) => ({ ...rest, values: values.all() }),
  restore(saved, { minLength }) {
    const { values, ...rest } = saved as Omit<State, "values"> & { readonly values: readonly KnownValue[] };
    const index = new ValueIndex(minLength);
    for (const { text, turn } of values) index.add(text, turn);
    return { ...rest, values: index };
  },

  onCall(state, call, { params, found, notEvaluated }) {
    const { name, input, position } = call.call;
    const isTo = isTool(params.to, name);
    const isSuspect = isTo && state.open.length > 0;
    const next = changed(state, {
      calls: isTo && state.returned ? state.calls + 1 : state.calls,
      open: isTool(params.from, name) ? withLast(state.open, position, MAX_OPEN) : state.open,
      suspects: isSuspect ? [...new Set([...state.suspects, ...state.open])].slice(-MAX_OPEN) : state.suspects,
    });
    if (!isTo) return next;
    if (input === undefined) {
      if (state.returned || state.open.length > 0) notEvaluated(`a call of ${name} was recorded without its arguments`);
      return next;
    }
    for (const haystack of state.values.isEmpty ? NOTHING : haystacksOf(call.call, params.path)) {
      for (const { text: value, turn } of state.values.findIn(haystack)) {
        if (params.allow.includes(value) || params.allowPattern?.find(value) !== undefined) continue;
        found({
          code: "value_flowed",
          message: `${shortJson(value)} came out of ${listOf(params.from, "or")} in turn ${turn + 1}.`,
          call,
          subject: name,
          facts: { tool: name, value, fromTurn: turn },
        });
        return next;
      }
    }
    if (state.overflowed) notEvaluated(`${listOf(params.from, "or")} returned ${tooMany("values")}`);
    return next;
  },

  onResult(state, call, { params, live }) {
    const { name, output, turnIndex, position } = call.call;
    if (!isTool(params.from, name)) return state;
    const isEnded = (one: number) => one === position;
    const ended = { open: without(state.open, isEnded), suspects: without(state.suspects, isEnded), returned: true };
    if (output === undefined) return changed(state, { ...ended, silent: state.silent + 1 });
    const max = live ? { values: MAX_REMEMBERED, characters: MAX_CHARACTERS } : undefined;
    let { overflowed } = state;
    for (const value of valuesIn(output, params.minLength))
      if (!state.values.add(value, Math.max(0, turnIndex), max)) overflowed = true;
    return changed(state, { ...ended, overflowed });
  },

  atEnd({ silent, suspects }, _end, { params, notEvaluated }) {
    const missing = silent + suspects.length;
    if (missing > 0)
      notEvaluated(
        `the output of ${missing === 1 ? "a call" : `${missing} calls`} of ${listOf(params.from, "or")} was not recorded`,
      );
  },

  seen: ({ calls }, { from, to }) => ({
    amount: calls,
    noun: `${listOf(to, "or")} call after ${listOf(from, "or")}`,
  }),
});

/** A literal: this is made at every guarded call, and a spread costs ten times as much. */
function changed(state: State, changes: Partial<State>): State {
  return {
    values: state.values,
    calls: changes.calls ?? state.calls,
    returned: changes.returned ?? state.returned,
    open: changes.open ?? state.open,
    suspects: changes.suspects ?? state.suspects,
    silent: changes.silent ?? state.silent,
    overflowed: changes.overflowed ?? state.overflowed,
  };
}

const NOTHING: readonly never[] = [];

/** Several rules search the same arguments. */
let latest: {
  readonly call: ToolCall | undefined;
  readonly path: string | undefined;
  readonly haystacks: readonly Haystack[];
} = {
  call: undefined,
  path: undefined,
  haystacks: NOTHING,
};

function haystacksOf(call: ToolCall, path: Path | undefined): readonly Haystack[] {
  const { input = null } = call;
  if (latest.call !== call || latest.path !== path?.text) {
    const haystacks: Haystack[] = [];
    for (const place of path === undefined ? [input] : valuesAt(path, input)) addTexts(place, haystacks);
    latest = { call, path: path?.text, haystacks };
  }
  return latest.haystacks;
}

/** Every text and number of the arguments, and those names of their members that can be more than the name of a field. */
function addTexts(value: Json, into: Haystack[]): void {
  if (Array.isArray(value)) for (const item of value) addTexts(item, into);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (MAY_BE_A_VALUE.test(key)) into.push(new Haystack(key, true));
      addTexts(value[key]!, into);
    }
  } else if (value !== null && typeof value !== "boolean") into.push(new Haystack(String(value), false));
}

/** A key is looked for values with a digit or an `@` only; other scripts have digits of their own. */
const MAY_BE_A_VALUE = /[0-9@]|[^\0-\x7f]/;

/** A run without white space or quotes; what sets it off from the sentence around it is cut away. */
const RUN = /[^\s"'`<>(){}[\],;=&?]+/g;
const BREAK = /[\s"'`<>(){}[\],;=&?]/;
const EDGE = /^[.:!?*_-]+|[.:!?*_-]+$/g;
const IDENTIFIER = /[0-9@/_]/;
/** An account or card number as people write it, in groups. */
const GROUPS = /\b(?:[A-Z]{2}\d{2}(?: [A-Z0-9]{2,4}){3,8}|\d{4}(?:[ -]\d{4}){2,4})\b/g;
/** `DE12 AB CD EF` */
const SHORTEST_GROUPS = 13;
/** What follows the word for it. */
const NAMED_SECRET =
  /\b(?:password|passwort|passphrase|secret|token|api key|pin)\b(?:\s+is)?\s*[:=]?\s*["'`]?([^\s"'`,;]+)/gi;
/** Without one of these there is none: most results are asked no more. */
const SECRET_WORD = /passw|passp|secret|token|api key|pin/i;

function valuesIn(value: Json, minLength: number): string[] {
  const found = new Set<string>();
  collect(value, minLength, found);
  return [...found];
}

function collect(value: Json, minLength: number, into: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, minLength, into);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      // The name of a member is a value where it cannot be the name of a field.
      if (/@|\d{4}/.test(key)) add(key, minLength, into);
      collect(value[key]!, minLength, into);
    }
  } else if (typeof value === "number" || typeof value === "bigint") add(String(value), minLength, into);
  else if (typeof value === "string") {
    if (value.length < minLength) return;
    add(value.trim(), minLength, into);
    if (IDENTIFIER.test(value)) {
      for (const run of BREAK.test(value) ? (value.match(RUN) ?? []) : [value]) {
        const word = run.replace(EDGE, "");
        if (IDENTIFIER.test(word)) add(word, minLength, into);
      }
      if (value.length >= SHORTEST_GROUPS)
        for (const [grouped] of value.matchAll(GROUPS)) add(grouped, minLength, into);
    }
    if (SECRET_WORD.test(value))
      for (const [, secret] of value.matchAll(NAMED_SECRET)) add(secret!.replace(EDGE, ""), minLength, into);
  }
}

function add(value: string, minLength: number, into: Set<string>): void {
  if (value.length >= minLength) into.add(value);
}
