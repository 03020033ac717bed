import { required } from "../../read/field.ts";
import { isToolItself } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { defineRule } from "../rule.ts";
import { names } from "../shapes.ts";

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
  start: (): readonly string[] => [],

  onCall(called, { call }, { params }) {
    if (called.length === params.tools.length) return called;
    const further = params.tools.filter((tool) => !called.includes(tool) && isToolItself([tool], call.name));
    return further.length === 0 ? called : called.length === 0 ? further : [...called, ...further];
  },

  atEnd(called, _end, { params, found }) {
    const missing = params.tools.filter((tool) => !called.includes(tool));
    if (missing.length > 0) found({ code: "never_called", message: neverCalled(missing), facts: { tools: missing } });
  },

  onRun({ context }, { params, found }) {
    const missing = params.tools.filter(
      (tool) => ![...context.run.sample.tools.keys()].some((name) => isToolItself([tool], name)),
    );
    if (missing.length > 0) found({ code: "never_called", message: `required but not called: ${missing.join(", ")}` });
  },

  seen: (called, { tools }) => ({ amount: called.length, noun: `${listOf(tools, "or")} call` }),
});

function neverCalled(missing: readonly string[]): string {
  return `${listOf(missing)} ${missing.length === 1 ? "was" : "were"} never called.`;
}
