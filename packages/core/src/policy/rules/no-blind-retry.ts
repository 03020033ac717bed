import { canonicalJson } from "../../canonical/canonical-json.ts";
import { shortKey } from "../../canonical/digest.ts";
import { preset } from "../../read/field.ts";
import { isTool } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { isEffectName } from "../../trace/effects.ts";
import { isObject, type Json } from "../../trace/json.ts";
import type { ToolCall } from "../../trace/trace.ts";
import { argumentsKey } from "../arguments-key.ts";
import { MAX_REMEMBERED, tooMany } from "../layered-map.ts";
import { defineRule } from "../rule.ts";
import { anyNames } from "../shapes.ts";
import { withLast, without } from "../short-list.ts";

interface State {
  /** Arguments of calls that failed, per tool, with nothing done since that could make them succeed. Changed by results only. */
  readonly failed: Map<string, Set<string>>;
  /** How many there are; beyond what is remembered no call is known not to be one of them. */
  readonly failures: number;
  /** Calls that have not ended, by position, and those of them that were made again meanwhile. */
  readonly open: readonly OpenCall[];
  readonly suspects: readonly number[];
  readonly calls: number;
  readonly results: number;
}

interface OpenCall {
  readonly position: number;
  readonly name: string;
  readonly key: string;
}

/** Calls whose ends are never told would fill any list. */
const MAX_OPEN = 256;

/**
 * After a call failed, the same call with the same arguments is not simply made again. Between the two something must have been
 * done that can make a difference: the tool succeeded in another way, or another tool changed something.
 */
export const noBlindRetry = defineRule({
  kind: "no_blind_retry",
  summary: "a failed call must not be repeated with the same arguments before anything was changed",
  params: {
    tool: preset(anyNames, [], "the tool, or a list of tools; absent: all tools"),
    ignore: preset(anyNames, [], "arguments that make no difference: a description, a reason"),
  },
  explain: ({ tool }) =>
    `When a call of ${tool.length === 0 ? "a tool" : listOf(tool, "or")} failed, it must not be made again with the same arguments before anything was changed.`,
  judgesBlind: () => true,
  headline: ({ tool }) => ({
    subject: tool.length === 0 ? "a tool" : listOf(tool, "or"),
    predicate: "is called again with the same arguments after it failed",
  }),
  tools: ({ tool }) => tool,
  // What any tool changes may make the next try succeed.
  hears: (_params, name) => isEffectName(name),
  needsResults: () => true,
  readsOutputOf: () => [],
  effects: () => ["ask"],
  start: (): State => ({
    failed: new Map(),
    failures: 0,
    open: [],
    suspects: [],
    calls: 0,
    results: 0,
  }),

  onCall(state, call, { params, live, found, notEvaluated }) {
    const { name, position } = call.call;
    if (params.tool.length > 0 && !isTool(params.tool, name)) return state;
    const key = keyOf(call.call, params.ignore);
    if (state.failed.get(name)?.has(key)) {
      found({
        code: "blind_retry",
        message: `${name} had failed with the same arguments.`,
        call,
        subject: name,
        facts: { tool: name },
      });
    } else if (live && state.failures > MAX_REMEMBERED) notEvaluated(`calls failed with ${tooMany("arguments")}`);
    const again = state.open.filter((open) => open.key === key && open.name === name).map((open) => open.position);
    return {
      failed: state.failed,
      failures: state.failures,
      open: withLast(state.open, { position, name, key }, MAX_OPEN),
      suspects: again.length === 0 ? state.suspects : [...new Set([...state.suspects, ...again])].slice(-MAX_OPEN),
      calls: state.calls + 1,
      results: state.results,
    };
  },

  onResult(state, call, { params, live }) {
    const { name, status } = call.call;
    // Of most results there is nothing to learn: nothing is open, and nothing has failed that they could help.
    if (live && status === "ok" && state.failures === 0 && state.open.length === 0) return state;
    const isOwn = params.tool.length === 0 || isTool(params.tool, name);
    if (!isOwn) return status === "ok" && isEffect(state, name) ? { ...state, failed: new Map(), failures: 0 } : state;
    const next = status === "error" ? afterFailure(state, call.call, params.ignore, live) : afterSuccess(state, name);
    return afterEnd(state, next, call.call.position);
  },

  atEnd({ calls, results, suspects }, _end, { live, notEvaluated }) {
    if (live) return;
    if (calls > 0 && results === 0) notEvaluated("no call has a recorded result, so none is known to have failed");
    else if (suspects.length > 0) notEvaluated("whether a call failed that was made again was not recorded");
  },

  seen: ({ calls }) => ({ amount: calls, noun: "call" }),
});

type Failures = Pick<State, "failed" | "failures">;

function afterEnd({ open, suspects, calls, results }: State, { failed, failures }: Failures, position: number): State {
  return {
    failed,
    failures,
    open: without(open, (one) => one.position === position),
    suspects: without(suspects, (one) => one === position),
    calls,
    results: results + 1,
  };
}

function afterFailure({ failed, failures }: State, call: ToolCall, ignore: readonly string[], live: boolean): Failures {
  const keys = failed.get(call.name) ?? new Set();
  const key = keyOf(call, ignore);
  if (keys.has(key)) return { failed, failures };
  // Of what is past remembering only that it is.
  if (!live || failures < MAX_REMEMBERED) failed.set(call.name, keys.add(key));
  return { failed, failures: failures + 1 };
}

/** What a tool changed may help every call; what it only read, its own. */
function afterSuccess(state: State, name: string): Failures {
  const { failed, failures } = state;
  if (isEffect(state, name)) return { failed: new Map(), failures: 0 };
  const helped = failed.get(name)?.size ?? 0;
  failed.delete(name);
  return { failed, failures: failures - helped };
}

function isEffect({ failures }: State, name: string): boolean {
  return failures > 0 && isEffectName(name);
}

function keyOf(call: ToolCall, ignore: readonly string[]): string {
  if (ignore.length === 0) return argumentsKey(call);
  return shortKey(canonicalJson(withoutMembers(call.input ?? null, ignore)));
}

function withoutMembers(input: Json, ignore: readonly string[]): Json {
  if (!isObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !ignore.includes(key)));
}
