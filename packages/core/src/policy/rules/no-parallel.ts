import { required } from "../../read/field.ts";
import { isTool } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { defineRule } from "../rule.ts";
import { names } from "../shapes.ts";

interface State {
  /** The latest call of one of the tools that ran side by side with others. */
  readonly group: string | undefined;
  readonly name: string;
  readonly calls: number;
}

/** Calls of these tools never run side by side: neither with each other nor with themselves. */
export const noParallel = defineRule({
  kind: "no_parallel",
  summary: "calls of these tools must not run side by side",
  params: { tools: required(names, "the tools") },
  explain: ({ tools }) => `No two calls of ${listOf(tools, "or")} may run side by side.`,
  judgesBlind: () => true,
  headline: ({ tools }) => ({ subject: listOf(tools, "or"), predicate: "runs side by side with another such call" }),
  tools: ({ tools }) => tools,
  effects: () => ["ask"],
  start: (): State => ({ group: undefined, name: "", calls: 0 }),

  onCall(state, call, { params, found }) {
    const { name, parallelGroup } = call.call;
    if (!isTool(params.tools, name)) return state;
    const grouped = parallelGroup !== undefined && parallelGroup === state.group ? state.name : undefined;
    const other = grouped ?? call.beside?.find((running) => isTool(params.tools, running));
    if (other !== undefined) {
      found({
        code: "parallel",
        message: `${name} runs side by side with ${other === name ? "another call of itself" : other}.`,
        call,
        subject: name,
        facts: { tool: name, other },
      });
    }
    return { group: parallelGroup, name, calls: state.calls + 1 };
  },

  seen: ({ calls }, { tools }) => ({ amount: calls, noun: `${listOf(tools, "or")} call` }),
});
