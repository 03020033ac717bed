import { required } from "../../read/field.ts";
import { isThisTool } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { defineRule } from "../rule.ts";
import { names } from "../shapes.ts";

const NONE: readonly string[] = [];

/** Each of several tools is called, in whatever order. */
export const mustCallAll = defineRule({
  kind: "must_call_all",
  summary: "each of several tools must be called",
  params: { tools: required(names, "the tools") },
  explain: ({ tools }) => `${listOf(tools)} must ${tools.length === 1 ? "" : "each "}be called.`,
  judgesBlind: () => true,
  headline: ({ tools }) => ({ subject: listOf(tools, "or"), predicate: "is never called" }),
  tools: ({ tools }) => tools,
  decidedBy: "end",
  claims: ({ tools }) => ({ demands: tools.map((tool) => ({ tools: [tool] })) }),
  start: (): readonly string[] => NONE,

  onCall(called, { call }, { params }) {
    if (called.length === params.tools.length) return called;
    // A loop: a hundred such rules may hear of one guarded call.
    let next = called;
    for (const tool of params.tools) if (!called.includes(tool) && isThisTool(tool, call.name)) next = [...next, tool];
    return next;
  },

  atEnd(called, _end, { params, found }) {
    const missing = params.tools.filter((tool) => !called.includes(tool));
    if (missing.length > 0) found({ code: "never_called", message: neverCalled(missing), facts: { tools: missing } });
  },

  onRun({ context }, { params, found }) {
    const missing = params.tools.filter(
      (tool) => ![...context.run.sample.tools.keys()].some((name) => isThisTool(tool, name)),
    );
    if (missing.length > 0) found({ code: "never_called", message: `required but not called: ${missing.join(", ")}` });
  },

  seen: (called, { tools }) => ({ amount: called.length, noun: `${listOf(tools, "or")} call` }),
});

function neverCalled(missing: readonly string[]): string {
  return `${listOf(missing)} ${missing.length === 1 ? "was" : "were"} never called.`;
}
