import { describeType, shortJson } from "../../text/words.ts";
import { type Json, member } from "../../trace/json.ts";
import { allHold, describeConditions } from "../conditions.ts";
import type { TurnEvent } from "../events.ts";
import { param, readMapping } from "../params.ts";
import type { Place } from "../problems.ts";
import { defineRule, type Finding } from "../rule.ts";

type Must =
  | { readonly kind: "tool_call"; readonly tool: string }
  | { readonly kind: "text_includes"; readonly text: string };

interface State {
  /** The turn that triggered and has not been followed up yet. */
  readonly owed: TurnEvent | undefined;
  readonly triggered: number;
}

/** When the trigger holds in a turn, the next turn does what `must` says; a trigger in the last turn violates. */
export const mustFollowup = defineRule({
  kind: "must_followup",
  summary: "when `trigger` holds in a turn, the next turn must satisfy `must`",
  params: {
    trigger: param.conditions("trigger", "conditions on the turn that obliges; none means every turn"),
    must: param.custom(
      "must",
      "`{kind: tool_call, tool_name: …}` or `{kind: text_includes, text: …}`",
      mustSchema(),
      readMust,
    ),
  },
  explain: ({ trigger, must }) =>
    `${trigger.length === 0 ? "After every turn" : `After a turn in which ${describeConditions(trigger)},`} the next one must ${inWords(must)}.`,
  headline: ({ must }) => ({
    subject: must.kind === "tool_call" ? must.tool : JSON.stringify(must.text),
    predicate: "is missing from the turn that owes it",
  }),
  // The obligation comes from matching turns only, but the next turn is the next turn, whatever it is.
  seesEveryTurn: true,
  start: (): State => ({ owed: undefined, triggered: 0 }),

  onTurn(state, turn, { params, matches, found }) {
    const { must } = params;
    if (state.owed !== undefined && !satisfies(turn, must)) found(describe(state.owed, turn, must));
    const triggers = matches && allHold(params.trigger, turn.context);
    return { owed: triggers ? turn : undefined, triggered: state.triggered + (triggers ? 1 : 0) };
  },

  atEnd({ owed }, _end, { params, found }) {
    if (owed !== undefined) found(describe(owed, undefined, params.must));
  },

  seen: ({ triggered }) => ({ amount: triggered, noun: "trigger" }),
});

function satisfies(turn: TurnEvent, must: Must): boolean {
  return must.kind === "tool_call"
    ? turn.blockCalls.some((call) => call.name === must.tool)
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

function mustSchema() {
  const variant = (kind: string, key: string) => ({
    type: "object",
    properties: { kind: { const: kind }, [key]: { type: "string" } },
    required: ["kind", key],
    additionalProperties: false,
  });
  return { oneOf: [variant("tool_call", "tool_name"), variant("text_includes", "text")] };
}

function readMust(value: Json, place: Place): Must | undefined {
  const raw = readMapping(value, "must", place);
  if (raw === undefined) return undefined;
  const kind = member(raw, "kind");
  if (kind !== "tool_call" && kind !== "text_includes") {
    const found = kind === undefined ? "must has no kind" : `unknown kind ${shortJson(kind)} of must`;
    return (kind === undefined ? place : place.child("kind")).problem(`${found}. It is tool_call or text_includes.`);
  }
  const key = kind === "tool_call" ? "tool_name" : "text";
  for (const other of Object.keys(raw)) {
    if (other !== "kind" && other !== key)
      place.keyProblem(other, `unknown key "${other}" in must; ${kind} has ${key} only.`);
  }
  const word = member(raw, key);
  if (word === undefined) return place.problem(`must of kind ${kind} needs ${key}.`);
  if (typeof word !== "string") return place.child(key).problem(`${key} must be a text, found ${describeType(word)}.`);
  return kind === "tool_call" ? { kind, tool: word } : { kind, text: word };
}
