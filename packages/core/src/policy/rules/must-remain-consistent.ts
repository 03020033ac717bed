import { required } from "../../read/field.ts";
import { shortJson } from "../../text/words.ts";
import { type Json, jsonEqual } from "../../trace/json.ts";
import { valueAt, valuesAt } from "../path.ts";
import { defineRule } from "../rule.ts";
import { pathText } from "../shapes.ts";

interface State {
  /** The first value seen; it never moves. */
  readonly anchor: Json | undefined;
  readonly anchorTurn: number;
  readonly observed: number;
}

/** Once a value is observed at a path, every later observation equals it. Absence is not change. */
export const mustRemainConsistent = defineRule({
  kind: "must_remain_consistent",
  summary: "once a value is observed at `path`, every later observation must equal it",
  params: { path: required(pathText, "where the value stands: request.params.amount") },
  explain: ({ path }) => `Once ${path.text} has a value, it must not change.`,
  headline: ({ path }) => ({ subject: path.text, predicate: "changes" }),
  paths: ({ path }) => [path],
  start: (): State => ({ anchor: undefined, anchorTurn: -1, observed: 0 }),

  onTurn(state, turn, { params, found }) {
    const { path } = params;
    const value = path.many ? listOrNothing(valuesAt(path, turn.context)) : valueAt(path, turn.context);
    if (value === undefined) return state;
    const observed = state.observed + 1;
    if (state.anchor === undefined) return { anchor: value, anchorTurn: turn.index, observed };
    if (!jsonEqual(value, state.anchor)) {
      found({
        code: "changed",
        message: `${path.text} is ${shortJson(value)}; in turn ${state.anchorTurn + 1} it was ${shortJson(state.anchor)}.`,
        turn,
        path: path.text,
        subject: path.text,
        facts: { path: path.text, anchor: state.anchor, anchorTurn: state.anchorTurn, value, pair: turn.index },
      });
    }
    return { ...state, observed };
  },

  seen: ({ observed }) => ({ amount: observed, noun: "observation" }),
});

function listOrNothing(values: Json[]): Json | undefined {
  return values.length === 0 ? undefined : values;
}
