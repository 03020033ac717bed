import { preset, required } from "../../read/field.ts";
import { isTool } from "../../text/tool-name.ts";
import { listOf, shortJson } from "../../text/words.ts";
import type { Json } from "../../trace/json.ts";
import type { Condition } from "../condition.ts";
import { describeArguments } from "../conditions.ts";
import type { CallEvent } from "../events.ts";
import { judgeArguments } from "../judge-arguments.ts";
import { always, and, not, toolCall } from "../ltl/formula.ts";
import { changeAt } from "../path.ts";
import { mapTexts } from "../result-texts.ts";
import { defineRule, type Finding } from "../rule.ts";
import { argumentConditions, names } from "../shapes.ts";

interface State {
  /** Calls of the tools. */
  readonly own: number;
  /** Turns in which the model could have called one. */
  readonly offered: number;
}

/** A tool is never called, or never with arguments that satisfy `args`. One violation per call. */
export const noCall = defineRule({
  kind: "no_call",
  summary: "a tool must never be called, or never with such arguments",
  params: {
    tool: required(names, "the tool, or a list of tools"),
    args: preset(
      argumentConditions,
      [],
      "only calls whose arguments satisfy these conditions; paths begin at the arguments",
    ),
  },
  explain: ({ tool, args }) =>
    args.length === 0
      ? `${listOf(tool, "or")} must never be called.`
      : `${listOf(tool, "or")} must never be called with ${describeArguments(args)}.`,
  judgesBlind: () => true,
  headline: ({ tool, args }) => ({
    subject: listOf(tool, "or"),
    predicate: args.length === 0 ? "is called" : `is called with ${describeArguments(args)}`,
  }),
  tools: ({ tool }) => tool,
  judgesCallAlone: "always",
  forbids: ({ tool, args }, name) => args.length === 0 && isTool(tool, name),
  claims: ({ tool, args }) => (args.length === 0 ? {} : { arguments: [{ tools: tool, conditions: args }] }),
  argumentPaths: ({ args }) => args.map(({ path }) => path),
  effects: ({ args }) => (args.some(findsText) ? ["ask", "redact"] : ["ask"]),
  redact: (value, { args }, mark) =>
    args.filter(findsText).reduce((input, one) => withoutText(input, one, mark), value),
  start: (): State => ({ own: 0, offered: 0 }),

  onTurn: (state, turn) => ((turn.offered?.size ?? 0) > 0 ? { ...state, offered: state.offered + 1 } : state),

  onCall(state, call, { params, found, notEvaluated }) {
    if (!isTool(params.tool, call.call.name)) return state;
    if (params.args.length === 0) found(describe(call));
    else reportArguments(call, params.args, found, notEvaluated);
    return { own: state.own + 1, offered: state.offered };
  },

  // To know that it was not called one has to have seen calls, or tools to call; to know its arguments, calls of its own.
  seen({ own, offered }, { tool, args }, { calls }) {
    if (args.length > 0) return { amount: own, noun: `${listOf(tool, "or")} call` };
    return calls > 0 ? { amount: calls, noun: "call" } : { amount: offered, noun: "turn with tools on offer" };
  },
  formula: ({ tool, args }) =>
    args.length > 0
      ? undefined
      : tool.map((name) => always(not(toolCall(name)))).reduce((left, right) => and(left, right)),
});

/** Whether a condition finds a text in an argument, which could be taken out of it. */
function findsText({ op, value }: Condition): boolean {
  return op === "matches_pattern" || (op === "contains" && typeof value === "string" && value !== "");
}

function withoutText(input: Json, { path, value, pattern }: Condition, mark: string): Json {
  const change = (text: string) => pattern?.replaceAll(text, mark) ?? text.replaceAll(value as string, () => mark);
  return changeAt(path, input, (found) => mapTexts(found, change));
}

function reportArguments(
  call: CallEvent,
  args: readonly Condition[],
  found: (finding: Finding) => void,
  notEvaluated: (why: string) => void,
): void {
  const answer = judgeArguments(call.call, args);
  if (answer.kind === "unknown") notEvaluated(answer.why);
  if (answer.kind !== "satisfied") return;
  const { values } = answer;
  const sentences = args.map((condition, index) => describeArgument(condition, shortJson(values[index])));
  found({
    ...describe(call),
    code: "called_with",
    message: `${sentences.join(", ")}.`,
    path: args.map((condition) => condition.path.text).join(", "),
    facts: { tool: call.call.name, values: [...values] },
  });
}

/** "refund.amount is 89, allowed up to 75" */
function describeArgument({ path, op, value }: Condition, actual: string): string {
  const limit = shortJson(value);
  const rest = {
    ">": `, allowed up to ${limit}`,
    ">=": `, allowed below ${limit}`,
    "<": `, allowed from ${limit}`,
    "<=": `, allowed above ${limit}`,
  };
  return `${path.text} is ${actual}${Object.hasOwn(rest, op) ? rest[op as keyof typeof rest] : ""}`;
}

function describe(call: CallEvent): Finding {
  const { name } = call.call;
  return {
    code: "called",
    message: `${name === "" ? "A tool without a name" : name} was called.`,
    call,
    subject: name,
    facts: { tool: name },
  };
}
