import { canonicalJson } from "../../canonical/canonical-json.ts";
import { preset } from "../../read/field.ts";
import { listOf } from "../../text/words.ts";
import { isEffectName } from "../../trace/effects.ts";
import { isObject, type Json } from "../../trace/json.ts";
import type { ToolCall } from "../../trace/trace.ts";
import { defineRule } from "../rule.ts";
import { anyNames } from "../shapes.ts";
import { isTool } from "../tool-name.ts";

interface State {
  /** Calls that failed, with nothing done since that could make them succeed. */
  readonly failed: ReadonlySet<string>;
  /** Calls that have not ended, by position, and those of them that were made again meanwhile. */
  readonly open: ReadonlyMap<number, string>;
  readonly suspects: ReadonlySet<number>;
  readonly calls: number;
  readonly results: number;
}

const NONE: ReadonlySet<string> = new Set();

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
  headline: ({ tool }) => ({
    subject: tool.length === 0 ? "a tool" : listOf(tool, "or"),
    predicate: "is called again with the same arguments after it failed",
  }),
  tools: ({ tool }) => tool,
  needsResults: () => true,
  start: (): State => ({ failed: new Set(), open: new Map(), suspects: new Set(), calls: 0, results: 0 }),

  onCall(state, call, { params, found }) {
    const { name, position } = call.call;
    if (params.tool.length > 0 && !isTool(params.tool, name)) return state;
    const key = keyOf(call.call, params.ignore);
    if (state.failed.has(key)) {
      found({
        code: "blind_retry",
        message: `${name} had failed with the same arguments.`,
        call,
        subject: name,
        facts: { tool: name },
      });
    }
    const again = [...state.open].filter(([, open]) => open === key).map(([earlier]) => earlier);
    return {
      ...state,
      calls: state.calls + 1,
      open: new Map([...state.open, [position, key] as const].slice(-MAX_OPEN)),
      suspects: again.length === 0 ? state.suspects : new Set([...state.suspects, ...again].slice(-MAX_OPEN)),
    };
  },

  onResult(state, call, { params }) {
    const { name, status, position } = call.call;
    const isOwn = params.tool.length === 0 || isTool(params.tool, name);
    if (!isOwn) return status === "ok" && isEffectName(name) ? { ...state, failed: NONE } : state;
    const open = new Map(state.open);
    open.delete(position);
    const suspects = new Set(state.suspects);
    suspects.delete(position);
    const failed =
      status === "error"
        ? new Set([...state.failed, keyOf(call.call, params.ignore)])
        : afterSuccess(state.failed, name);
    return { ...state, open, suspects, failed, results: state.results + 1 };
  },

  atEnd({ calls, results, suspects }, _end, { live, notEvaluated }) {
    if (live) return;
    if (calls > 0 && results === 0) notEvaluated("no call has a recorded result, so none is known to have failed");
    else if (suspects.size > 0) notEvaluated("whether a call failed that was made again was not recorded");
  },

  seen: ({ calls }) => ({ amount: calls, noun: "call" }),
});

/** What a tool changed may help every call; what it only read, its own. */
function afterSuccess(failed: ReadonlySet<string>, name: string): ReadonlySet<string> {
  if (failed.size === 0 || isEffectName(name)) return NONE;
  return new Set([...failed].filter((key) => !key.startsWith(`${JSON.stringify(name)} `)));
}

function keyOf({ name, input = null }: ToolCall, ignore: readonly string[]): string {
  return `${JSON.stringify(name)} ${canonicalJson(ignore.length === 0 ? input : without(input, ignore))}`;
}

function without(input: Json, ignore: readonly string[]): Json {
  if (!isObject(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !ignore.includes(key)));
}
