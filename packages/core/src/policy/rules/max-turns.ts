import { required } from "../../read/field.ts";
import { integer } from "../../read/scalars.ts";
import { countOf } from "../../text/words.ts";
import { defineRule } from "../rule.ts";

/** At most `limit` responses. */
export const maxTurns = defineRule({
  kind: "max_turns",
  summary: "at most so many turns (responses)",
  params: { limit: required(integer(), "the largest number of turns allowed", { alias: "n" }) },
  explain: ({ limit }) => `At most ${countOf(limit, "turn")}.`,
  judgesBlind: () => true,
  headline: ({ limit }) => ({ subject: "the agent", predicate: `takes more than ${countOf(limit, "turn")}` }),
  claims: ({ limit }) => (limit < 1 ? { alwaysBroken: "no_turn_allowed" } : {}),
  start: () => 0,

  onTurn(count: number, turn, { params, live, found }) {
    if (live && count + 1 > params.limit) found({ ...describe(count + 1, params.limit), turn, provisional: true });
    return count + 1;
  },

  atEnd(count, _end, { params, found }) {
    if (count > params.limit) found(describe(count, params.limit));
  },
});

function describe(count: number, limit: number) {
  return {
    code: "too_many_turns",
    message: `${countOf(count, "turn")}, allowed are ${limit}.`,
    facts: { count, limit },
    measure: count,
  };
}
