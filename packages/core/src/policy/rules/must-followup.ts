import { custom } from "../../read/collections.ts";
import { preset, required } from "../../read/field.ts";
import { text } from "../../read/scalars.ts";
import type { Shape } from "../../read/shape.ts";
import { tagged } from "../../read/tagged.ts";
import { isToolItself } from "../../text/tool-name.ts";
import { allHold, describeConditions, unclear } from "../conditions.ts";
import type { TurnEvent } from "../events.ts";
import { defineRule, type Finding } from "../rule.ts";
import { conditions } from "../shapes.ts";

type Must =
  | { readonly kind: "tool_call"; readonly tool: string }
  | { readonly kind: "text_includes"; readonly text: string };

interface State {
  /** The turn that triggered and has not been followed up yet. */
  readonly owed: TurnEvent | undefined;
  readonly triggered: number;
}

const must: Shape<Must> = custom(
  tagged("must", {
    tag: "kind",
    common: {},
    variants: [
      {
        names: ["tool_call"],
        summary: "a tool is called",
        fields: { toolName: required(text, "the tool") },
      },
      {
        names: ["text_includes"],
        summary: "the response contains a text",
        fields: { text: required(text, "the text") },
      },
    ],
  }),
  ({ variant, values }): Must =>
    variant.names[0] === "tool_call"
      ? { kind: "tool_call", tool: values["toolName"] as string }
      : { kind: "text_includes", text: values["text"] as string },
);

/** When the trigger holds in a turn, the next turn does what `must` says; a trigger in the last turn violates. */
export const mustFollowup = defineRule({
  kind: "must_followup",
  summary: "when `trigger` holds in a turn, the next turn must satisfy `must`",
  params: {
    trigger: preset(conditions, [], "conditions on the turn that obliges; none means every turn"),
    must: required(must, "`{kind: tool_call, tool_name: …}` or `{kind: text_includes, text: …}`"),
  },
  explain: ({ trigger, must }) =>
    `${trigger.length === 0 ? "After every turn" : `After a turn in which ${describeConditions(trigger)},`} the next one must ${inWords(must)}.`,
  judgesBlind: ({ must }) => must.kind === "tool_call",
  headline: ({ must }) => ({
    subject: must.kind === "tool_call" ? must.tool : JSON.stringify(must.text),
    predicate: "is missing from the turn that owes it",
  }),
  // The obligation comes from matching turns only, but the next turn is the next turn, whatever it is.
  seesEveryTurn: true,
  tools: ({ must }) => (must.kind === "tool_call" ? [must.tool] : []),
  claims: ({ trigger, must }) => ({
    triggers: trigger,
    ...(must.kind === "tool_call" ? { demands: [{ tools: [must.tool], owed: true }] } : {}),
    ...(trigger.length === 0 ? { alwaysBroken: "every_turn_owes_another" } : {}),
  }),
  paths: ({ trigger }) => trigger.map(({ path }) => path),
  start: (): State => ({ owed: undefined, triggered: 0 }),

  onTurn(state, turn, { params, matches, found, notEvaluated }) {
    const { must } = params;
    if (state.owed !== undefined && !satisfies(turn, must)) found(describe(state.owed, turn, must));
    const triggers = matches && allHold(params.trigger, turn.context);
    const why = triggers || !matches ? undefined : unclear(params.trigger, turn.context);
    if (why !== undefined) notEvaluated(why);
    return { owed: triggers ? turn : undefined, triggered: state.triggered + (triggers ? 1 : 0) };
  },

  atEnd({ owed }, _end, { params, found }) {
    if (owed !== undefined) found(describe(owed, undefined, params.must));
  },

  seen: ({ triggered }) => ({ amount: triggered, noun: "trigger" }),
});

function satisfies(turn: TurnEvent, must: Must): boolean {
  return must.kind === "tool_call"
    ? turn.blockCalls.some((call) => isToolItself([must.tool], call.name))
    : turn.text.includes(must.text);
}

function describe(trigger: TurnEvent, next: TurnEvent | undefined, must: Must): Finding {
  return {
    code: next === undefined ? "no_next_turn" : "not_followed_up",
    message:
      next === undefined
        ? `The next turn would have to ${inWords(must)}, but there is none.`
        : `Turn ${trigger.index + 1} obliges it to ${inWords(must)}.`,
    turn: next ?? trigger,
    facts: { trigger: trigger.index, next: next?.index ?? null, must: { ...must } },
  };
}

function inWords(must: Must): string {
  return must.kind === "tool_call" ? `call ${must.tool}` : `contain ${JSON.stringify(must.text)}`;
}
