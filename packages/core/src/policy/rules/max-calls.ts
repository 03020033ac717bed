import { preset, required } from "../../read/field.ts";
import { boolean, integer } from "../../read/scalars.ts";
import { isTool } from "../../text/tool-name.ts";
import { countOf, listOf } from "../../text/words.ts";
import { argumentsKey } from "../arguments-key.ts";
import { describeArguments } from "../conditions.ts";
import { type CallEvent, timeOfCall } from "../events.ts";
import { judgeArguments } from "../judge-arguments.ts";
import { emptyLayers, isBeyond, type LayeredMap, lookUp, settleLayers, tooMany, withEntry } from "../layered-map.ts";
import { isRate, perField, type Rate, rateWords } from "../rate.ts";
import { defineRule, type Finding, type StepContext } from "../rule.ts";
import { anyNames, argumentConditions } from "../shapes.ts";
import { noSpending, noteSpent, overspent, type Spending, settleSpending, spend, unclearRate } from "../spending.ts";

interface State {
  readonly count: number;
  /** Calls per set of arguments (`same_args`). */
  readonly perArguments: LayeredMap<number>;
  /** Where the limit holds for a time or a user. */
  readonly spending: Spending;
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
    per: perField,
  },
  validate({ sameArgs, per }, at) {
    if (sameArgs && isRate(per)) at.problem("same_args counts over a whole trace or session: it does not go with per.");
  },
  explain: ({ tool, limit, args, sameArgs, per }) =>
    `${toolWords(tool)} may be called at most ${countOf(limit, "time")}${sameArgs ? " with the same arguments" : ""}${args.length === 0 ? "" : ` with ${describeArguments(args)}`}${rateWords(per)}.`,
  judgesBlind: () => true,
  headline: ({ tool, limit, sameArgs, per }) => ({
    subject: toolWords(tool),
    predicate: `is called more than ${countOf(limit, "time")}${sameArgs ? " with the same arguments" : ""}${rateWords(per)}`,
  }),
  needsClock: ({ per }) => per?.seconds !== undefined,
  perUser: ({ per }) => per?.user === true,
  perSession: ({ per }) => per?.session === true,
  tools: ({ tool }) => tool,
  forbids: ({ tool, limit, args }, name) =>
    limit === 0 && args.length === 0 && (tool.length === 0 || isTool(tool, name)),
  claims: ({ tool, limit, args, sameArgs, per }) => ({
    // A limit per hour, or over all that a user does, limits no single trace.
    ...(args.length === 0 && !sameArgs && per === undefined ? { limits: [{ tools: tool, most: limit }] } : {}),
    ...(args.length === 0 ? {} : { arguments: [{ tools: tool, conditions: args }] }),
  }),
  argumentPaths: ({ args }) => args.map(({ path }) => path),
  effects: () => ["ask"],
  start: (): State => ({ count: 0, perArguments: emptyLayers(), spending: noSpending() }),

  onCall(state, call, context) {
    const { params, live, found, notEvaluated } = context;
    const { spending } = state;
    const { tool, limit, args, sameArgs, per } = params;
    const { name, input } = call.call;
    if (tool.length > 0 && !isTool(tool, name)) return state;
    const answer = judgeArguments(call.call, args);
    if (answer.kind === "failed") return state;
    if (answer.kind === "unknown" || (sameArgs && input === undefined)) {
      notEvaluated(answer.kind === "unknown" ? answer.why : `a call of ${name} was recorded without its arguments`);
      return state;
    }
    // Literals: this is made for every rule at every guarded call, and a spread costs ten times as much.
    if (isRate(per)) {
      const after = afterRated(spending, call, per, context);
      return { count: state.count + 1, perArguments: state.perArguments, spending: after };
    }
    const key = sameArgs ? `${JSON.stringify(name)} ${argumentsKey(call.call)}` : "";
    if (sameArgs && live && isBeyond(state.perArguments, key)) {
      notEvaluated(`${name} was called with ${tooMany("arguments")}`);
      return state;
    }
    const count = (sameArgs ? (lookUp(state.perArguments, key) ?? 0) : state.count) + 1;
    const perArguments = sameArgs ? withEntry(state.perArguments, key, count) : state.perArguments;
    if (count > limit) found(tooMuch(call, count, params));
    return { count: state.count + 1, perArguments, spending };
  },

  atEnd({ spending }, end, { params, live, found, notEvaluated }) {
    const { per, limit } = params;
    if (live || !isRate(per)) return;
    const problem = unclearRate(spending, per, end, "call");
    if (problem !== undefined) notEvaluated(problem);
    for (const { item, total } of overspent(spending, end, per, (count) => count > limit))
      found(tooMuch(item.call!, total, params));
  },

  settle(state) {
    const { count, perArguments, spending } = state;
    if (spending.pending.length > 0) return { count, perArguments, spending: settleSpending(spending) };
    if (perArguments.changes === undefined) return state;
    return { count, perArguments: settleLayers(perArguments), spending };
  },
  // A limit of 0 is kept by never calling it; any other is put to the test only by calls.
  seen: ({ count }, { tool, limit, args }, { calls }) =>
    tool.length === 0 || (limit === 0 && args.length === 0)
      ? { amount: calls, noun: "call" }
      : { amount: count, noun: `${listOf(tool, "or")} call` },
});

interface Limits {
  readonly tool: readonly string[];
  readonly limit: number;
  readonly sameArgs: boolean;
  readonly per?: Rate;
}

/** A call under a limit per time or user: a running agent is told at once, a recording at its end. */
function afterRated(spending: Spending, call: CallEvent, per: Rate, context: StepContext<Limits>): Spending {
  const { params, live, found, notEvaluated } = context;
  const item = { at: timeOfCall(call), amount: 1, call };
  if (!live) return noteSpent(spending, item);
  if (per.seconds !== undefined && item.at === undefined) notEvaluated(`a call of ${call.call.name} has no time`);
  const { total, after } = spend(spending, item, per);
  if (total > params.limit) found(tooMuch(call, total, params));
  return after;
}

function tooMuch(call: CallEvent, count: number, { tool, limit, sameArgs, per }: Limits): Finding {
  const { name } = call.call;
  return {
    code: "too_many_calls",
    message: `Call ${count} of ${name}${sameArgs ? " with the same arguments" : ""}${rateWords(per)}, allowed are ${limit}.`,
    call,
    subject: tool.length === 0 ? "" : name,
    facts: { tool: name, count, limit },
    measure: count,
  };
}

function toolWords(tool: readonly string[]): string {
  return tool.length === 0 ? "any tool" : listOf(tool, "or");
}
