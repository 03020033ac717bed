import { required } from "../../read/field.ts";
import { isToolItself } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { defineRule } from "../rule.ts";
import { names } from "../shapes.ts";

/** What is not named is forbidden: no tool but these is called. One violation per call. */
export const onlyCalls = defineRule({
  kind: "only_calls",
  summary: "no tool may be called but these",
  params: { tools: required(names, "the tools that may be called; `mcp:github/*` is all of a server's") },
  explain: ({ tools }) => `No tool but ${listOf(tools)} may be called.`,
  judgesBlind: () => true,
  headline: ({ tools }) => ({ subject: "a tool", predicate: `other than ${listOf(tools, "or")} is called` }),
  judgesCallAlone: "always",
  forbids: ({ tools }, name) => !isToolItself(tools, name),
  claims: ({ tools }) => ({ allows: tools }),
  ignores: ({ tools }, name) => isToolItself(tools, name),
  effects: () => ["ask"],
  start: () => null,

  onCall(state, call, { params, found }) {
    const { name } = call.call;
    if (!isToolItself(params.tools, name)) {
      found({
        code: "not_allowed",
        message: `${name === "" ? "A tool without a name" : name} was called, which is not among the allowed tools.`,
        call,
        subject: name,
        facts: { tool: name },
      });
    }
    return state;
  },

  seen: (_state, _params, { calls }) => ({ amount: calls, noun: "call" }),
});
