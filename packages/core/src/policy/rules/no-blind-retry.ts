import { preset } from "../../read/field.ts";
import { listOf } from "../../text/words.ts";
import { type Json, jsonEqual } from "../../trace/json.ts";
import { defineRule } from "../rule.ts";
import { anyNames } from "../shapes.ts";

interface State {
  /** Per tool: the arguments of its latest call, if that failed. Changed by results only. */
  readonly failed: Map<string, Json>;
  readonly calls: number;
}

/** After a call failed, the same call with the same arguments is not simply made again. */
export const noBlindRetry = defineRule({
  kind: "no_blind_retry",
  summary: "a failed call must not be repeated with the same arguments",
  params: { tool: preset(anyNames, [], "the tool, or a list of tools; absent: all tools") },
  explain: ({ tool }) =>
    `When a call of ${tool.length === 0 ? "a tool" : listOf(tool, "or")} failed, the next one must not have the same arguments.`,
  headline: ({ tool }) => ({
    subject: tool.length === 0 ? "a tool" : listOf(tool, "or"),
    predicate: "is called again with the same arguments after it failed",
  }),
  tools: ({ tool }) => tool,
  needsResults: () => true,
  start: (): State => ({ failed: new Map(), calls: 0 }),

  onCall(state, call, { params, found }) {
    const { name, input = null } = call.call;
    if (params.tool.length > 0 && !params.tool.includes(name)) return state;
    const failed = state.failed.get(name);
    if (failed !== undefined && jsonEqual(failed, input)) {
      found({
        code: "blind_retry",
        message: `${name} had failed with the same arguments.`,
        call,
        subject: name,
        facts: { tool: name },
      });
    }
    return { ...state, calls: state.calls + 1 };
  },

  onResult(state, call) {
    const { name, status, input = null } = call.call;
    if (status === "error") state.failed.set(name, input);
    else if (status === "ok") state.failed.delete(name);
    return state;
  },

  seen: ({ calls }) => ({ amount: calls, noun: "call" }),
});
