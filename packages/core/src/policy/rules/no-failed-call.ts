import { preset } from "../../read/field.ts";
import { isTool } from "../../text/tool-name.ts";
import { countOf, listOf, shortJson } from "../../text/words.ts";
import { defineRule } from "../rule.ts";
import { anyNames } from "../shapes.ts";

interface State {
  readonly calls: number;
  readonly results: number;
}

/** No call fails. A call whose result was not recorded cannot be judged, and the report says so. */
export const noFailedCall = defineRule({
  kind: "no_failed_call",
  summary: "no call may fail",
  params: { tool: preset(anyNames, [], "the tool, or a list of tools; absent: all tools") },
  explain: ({ tool }) => `No call of ${tool.length === 0 ? "any tool" : listOf(tool, "or")} may fail.`,
  judgesBlind: () => true,
  headline: ({ tool }) => ({ subject: tool.length === 0 ? "a tool" : listOf(tool, "or"), predicate: "fails" }),
  tools: ({ tool }) => tool,
  needsResults: () => true,
  readsOutputOf: () => [],
  decidedBy: "result",
  start: (): State => ({ calls: 0, results: 0 }),

  onCall: (state, call, { params }) =>
    concerns(params.tool, call.call.name) ? { calls: state.calls + 1, results: state.results } : state,

  onResult(state, call, { params, found }) {
    const { name, status, error } = call.call;
    if (!concerns(params.tool, name)) return state;
    if (status === "error") {
      const why = error?.message === undefined ? (error?.kind ?? "") : shortJson(error.message);
      found({
        code: "call_failed",
        message: `${name} failed${why === "" ? "" : `: ${why}`}.`,
        call,
        subject: name,
        facts: { tool: name, ...(error?.kind === undefined ? {} : { kind: error.kind }) },
      });
    }
    return { calls: state.calls, results: state.results + 1 };
  },

  atEnd({ calls, results }, _end, { notEvaluated }) {
    if (results < calls) notEvaluated(`${countOf(calls - results, "call")} of ${calls} have no recorded result`);
  },

  seen: ({ results }) => ({ amount: results, noun: "call with a result" }),
});

function concerns(tools: readonly string[], name: string): boolean {
  return tools.length === 0 || isTool(tools, name);
}
