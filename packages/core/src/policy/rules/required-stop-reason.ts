import { describeType, listOf, shortJson } from "../../text/words.ts";
import type { Json } from "../../trace/json.ts";
import type { TurnEvent } from "../events.ts";
import { always, or, stopReason } from "../ltl/formula.ts";
import { param } from "../params.ts";
import type { Place } from "../problems.ts";
import { defineRule, type Finding } from "../rule.ts";

interface State {
  readonly turns: number;
  /** The last response, if its stop reason is not allowed (`last_only`). */
  readonly offending: TurnEvent | undefined;
}

/** Every response ends with one of the allowed reasons; a trace without responses violates. */
export const requiredStopReason = defineRule({
  kind: "required_stop_reason",
  summary: "every response must end with one of the allowed stop reasons",
  params: {
    allowed: param.custom(
      "allowed",
      "the allowed stop reasons; null stands for none recorded",
      allowedSchema(),
      readAllowed,
    ),
    lastOnly: param.flag("last_only", false, "look at the last response only"),
  },
  explain: ({ allowed, lastOnly }) =>
    `${lastOnly ? "The last" : "Every"} response must end with ${allowed.length === 0 ? "no stop reason at all" : listOf(allowed.map(name), "or")}.`,
  headline: ({ allowed }) => ({
    subject: "a response",
    predicate: `does not end with ${listOf(allowed.map(name), "or")}`,
  }),
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

function allowedSchema() {
  return { anyOf: [{ type: "string" }, { type: "array", items: { type: ["string", "null"] } }] };
}

function readAllowed(value: Json, place: Place): readonly (string | null)[] | undefined {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value))
    return place.problem(`allowed must be a text or a list of texts, found ${describeType(value)}.`);
  const bad = value.findIndex((item) => typeof item !== "string" && item !== null);
  if (bad >= 0)
    return place.child(bad).problem(`allowed must hold texts (or null), found ${describeType(value[bad] as Json)}.`);
  return value as readonly (string | null)[];
}
