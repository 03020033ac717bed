import { preset, required } from "../../read/field.ts";
import { boolean, text } from "../../read/scalars.ts";
import { isTool } from "../../text/tool-name.ts";
import { countOf } from "../../text/words.ts";
import { always, and, eventually, implies, next, not, toolCall } from "../ltl/formula.ts";
import { describeOffer, IF_OFFERED_HELP, judgeOffer, NO_OFFER, type Offer, offerUnknown, seeOffer } from "../offer.ts";
import { defineRule } from "../rule.ts";

interface State {
  readonly count: number;
  readonly offer: Offer;
}

/** A tool is called exactly once; never calling it violates too. */
export const mustCallOnce = defineRule({
  kind: "must_call_once",
  summary: "a tool must be called exactly once",
  params: {
    tool: required(text, "the tool"),
    ifOffered: preset(boolean, false, IF_OFFERED_HELP),
  },
  explain: ({ tool }) => `${tool} must be called exactly once.`,
  judgesBlind: () => true,
  headline: ({ tool }) => ({ subject: tool, predicate: "is not called exactly once" }),
  tools: ({ tool }) => [tool],
  claims: ({ tool, ifOffered }) => ({ demands: [{ tools: [tool], ifOffered }], limits: [{ tools: [tool], most: 1 }] }),
  start: (): State => ({ count: 0, offer: NO_OFFER }),

  onTurn(state, turn, { params }) {
    const offer = seeOffer(state.offer, turn, [params.tool]);
    return offer === state.offer ? state : { ...state, offer };
  },

  onCall(state, call, { params, found }) {
    const { tool } = params;
    if (!isTool([tool], call.call.name)) return state;
    const count = state.count + 1;
    if (count > 1) found({ ...describe(tool, count), provisional: true });
    return { count, offer: state.offer };
  },

  atEnd({ count, offer }, _end, { params, found, notEvaluated }) {
    if (count === 1) return;
    const verdict = count > 1 ? "judge" : judgeOffer(offer, params.ifOffered);
    if (verdict === "unknown") notEvaluated(offerUnknown([params.tool]));
    if (verdict !== "judge") return;
    const note = count === 0 ? describeOffer(offer) : undefined;
    found({ ...describe(params.tool, count), ...(note === undefined ? {} : { note }) });
  },

  seen: ({ count }, { tool }) => ({ amount: count, noun: `${tool} call` }),
  // A weak next: the one call may stand in the last turn.
  formula: ({ tool }) =>
    and(eventually(toolCall(tool)), always(implies(toolCall(tool), not(next(eventually(toolCall(tool))))))),
});

function describe(tool: string, count: number) {
  return {
    code: count === 0 ? "never_called" : "called_again",
    message:
      count === 0 ? `${tool} was never called.` : `${tool} was called ${countOf(count, "time")} instead of once.`,
    subject: tool,
    facts: { tool, count },
    measure: Math.abs(count - 1),
  };
}
