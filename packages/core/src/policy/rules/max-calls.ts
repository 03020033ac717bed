import { canonicalJson } from "../../canonical/canonical-json.ts";
import { digestText } from "../../canonical/digest.ts";
import { preset, required } from "../../read/field.ts";
import { boolean, integer } from "../../read/scalars.ts";
import { countOf, listOf } from "../../text/words.ts";
import { describeArguments } from "../conditions.ts";
import { judgeArguments } from "../judge-arguments.ts";
import { emptyLayers, isBeyond, type LayeredMap, lookUp, settleLayers, tooMany, withEntry } from "../layered-map.ts";
import { defineRule } from "../rule.ts";
import { anyNames, argumentConditions } from "../shapes.ts";
import { isTool } from "../tool-name.ts";

interface State {
  readonly count: number;
  /** Calls of any tool. */
  readonly calls: number;
  /** Calls per set of arguments (`same_args`). */
  readonly perArguments: LayeredMap<number>;
}

/** A tool is called at most `limit` times. One violation per call too many. */
export const maxCalls = defineRule({
  kind: "max_calls",
  summary: "a tool may be called at most so many times",
  params: {
    tool: preset(anyNames, [], "the tool, or a list of tools counted together; absent: all tools"),
    limit: required(integer({ min: 0 }), "the largest number of calls allowed", { alias: "n" }),
    args: preset(argumentConditions, [], "count only calls whose arguments satisfy these conditions"),
    sameArgs: preset(boolean, false, "count calls with equal arguments, each set of arguments on its own"),
  },
  explain: ({ tool, limit, args, sameArgs }) =>
    `${toolWords(tool)} may be called at most ${countOf(limit, "time")}${sameArgs ? " with the same arguments" : ""}${args.length === 0 ? "" : ` with ${describeArguments(args)}`}.`,
  headline: ({ tool, limit, sameArgs }) => ({
    subject: toolWords(tool),
    predicate: `is called more than ${countOf(limit, "time")}${sameArgs ? " with the same arguments" : ""}`,
  }),
  tools: ({ tool }) => tool,
  argumentPaths: ({ args }) => args.map(({ path }) => path),
  start: (): State => ({ count: 0, calls: 0, perArguments: emptyLayers() }),

  onCall(before, call, { params, live, found, notEvaluated }) {
    const state: State = { count: before.count, calls: before.calls + 1, perArguments: before.perArguments };
    const { tool, limit, args, sameArgs } = params;
    const { name, input } = call.call;
    if (tool.length > 0 && !isTool(tool, name)) return state;
    const answer = judgeArguments(call.call, args);
    if (answer.kind === "failed") return state;
    if (answer.kind === "unknown" || (sameArgs && input === undefined)) {
      notEvaluated(answer.kind === "unknown" ? answer.why : `a call of ${name} was recorded without its arguments`);
      return state;
    }
    const key = sameArgs ? digestText(canonicalJson([name, input ?? null])) : "";
    if (sameArgs && live && isBeyond(state.perArguments, key)) {
      notEvaluated(`${name} was called with ${tooMany("arguments")}`);
      return state;
    }
    const count = (sameArgs ? (lookUp(state.perArguments, key) ?? 0) : state.count) + 1;
    const perArguments = sameArgs ? withEntry(state.perArguments, key, count) : state.perArguments;
    if (count > limit) {
      const again = sameArgs ? " with the same arguments" : "";
      found({
        code: "too_many_calls",
        message: `Call ${count} of ${name}${again}, allowed are ${limit}.`,
        call,
        subject: tool.length === 0 ? "" : name,
        facts: { tool: name, count, limit },
        measure: count,
      });
    }
    return { count: state.count + 1, calls: state.calls, perArguments };
  },

  settle: (state) =>
    state.perArguments.changes.size === 0 ? state : { ...state, perArguments: settleLayers(state.perArguments) },
  // A limit of 0 is kept by never calling it; any other is put to the test only by calls.
  seen: ({ count, calls }, { tool, limit, args }) =>
    tool.length === 0 || (limit === 0 && args.length === 0)
      ? { amount: calls, noun: "call" }
      : { amount: count, noun: `${listOf(tool, "or")} call` },
});

function toolWords(tool: readonly string[]): string {
  return tool.length === 0 ? "any tool" : listOf(tool, "or");
}
