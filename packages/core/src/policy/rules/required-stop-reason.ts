import { custom, list, oneOf } from "../../read/collections.ts";
import { preset, required } from "../../read/field.ts";
import { boolean, constant, text } from "../../read/scalars.ts";
import { listOf, shortJson } from "../../text/words.ts";
import type { TurnEvent } from "../events.ts";
import { always, or, stopReason } from "../ltl/formula.ts";
import { defineRule, type Finding } from "../rule.ts";

interface State {
  readonly turns: number;
  /** The last response, if its stop reason is not allowed (`last_only`). */
  readonly offending: TurnEvent | undefined;
}

/** A text, or a list of texts and nulls. */
const stopReasons = oneOf(
  custom(text, (reason): readonly (string | null)[] => [reason]),
  list(oneOf(text, constant(null))),
);

/** Every response ends with one of the allowed reasons; a trace without responses violates. */
export const requiredStopReason = defineRule({
  kind: "required_stop_reason",
  summary: "every response must end with one of the allowed stop reasons",
  params: {
    allowed: required(stopReasons, "the allowed stop reasons; null stands for none recorded"),
    lastOnly: preset(boolean, false, "look at the last response only"),
  },
  explain: ({ allowed, lastOnly }) =>
    `${lastOnly ? "The last" : "Every"} response must end with ${allowed.length === 0 ? "no stop reason at all" : listOf(allowed.map(name), "or")}.`,
  judgesBlind: () => true,
  headline: ({ allowed }) => ({
    subject: "a response",
    predicate: `does not end with ${listOf(allowed.map(name), "or")}`,
  }),
  claims({ allowed, lastOnly }) {
    if (allowed.length === 0) return { alwaysBroken: "no_stop_reason_allowed" };
    return lastOnly ? {} : { stopReasons: allowed };
  },
  start: (): State => ({ turns: 0, offending: undefined }),

  onTurn({ turns }, turn, { params, found }) {
    const reason = turn.stopReason ?? null;
    const bad = !params.allowed.some((allowed) => allowed === reason);
    // A response that asks for tools is not finished: at run time the answer it leads to is still to come.
    if (bad && !params.lastOnly) {
      const finding = describe(turn, params.allowed);
      found(reason === "tool_use" ? { ...finding, deferred: true } : finding);
    }
    return { turns: turns + 1, offending: bad && params.lastOnly ? turn : undefined };
  },

  atEnd({ turns, offending }, _end, { params, found }) {
    if (turns === 0)
      found({ code: "no_response", message: "There is no response at all.", facts: { allowed: [...params.allowed] } });
    if (offending !== undefined) found(describe(offending, params.allowed));
  },

  formula({ allowed, lastOnly }) {
    if (lastOnly || allowed.length === 0) return undefined;
    return always(allowed.map((reason) => stopReason(reason ?? "")).reduce((left, right) => or(left, right)));
  },
});

function describe(turn: TurnEvent, allowed: readonly (string | null)[]): Finding {
  const reason = turn.stopReason ?? null;
  return {
    code: "stop_reason",
    message: `The response ended with ${reason === null ? "no stop reason" : shortJson(reason)}; allowed: ${listOf(allowed.map(name), "or") || "none"}.`,
    turn,
    facts: { stopReason: reason, allowed: [...allowed] },
  };
}

function name(reason: string | null): string {
  return reason ?? "none";
}
