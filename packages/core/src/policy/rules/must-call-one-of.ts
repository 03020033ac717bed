import { preset, required } from "../../read/field.ts";
import { boolean } from "../../read/scalars.ts";
import { isToolItself } from "../../text/tool-name.ts";
import { listOf } from "../../text/words.ts";
import { eventually, or, toolCall } from "../ltl/formula.ts";
import { describeOffer, IF_OFFERED_HELP, judgeOffer, NO_OFFER, type Offer, offerUnknown, seeOffer } from "../offer.ts";
import { defineRule } from "../rule.ts";
import { names } from "../shapes.ts";

interface State {
  readonly calls: number;
  readonly offer: Offer;
}

/** At least one of several tools is called. */
export const mustCallOneOf = defineRule({
  kind: "must_call_one_of",
  summary: "at least one of several tools must be called",
  params: {
    tools: required(names, "the tools"),
    ifOffered: preset(boolean, false, IF_OFFERED_HELP),
  },
  explain: ({ tools }) => `At least one of ${listOf(tools)} must be called.`,
  judgesBlind: () => true,
  headline: ({ tools }) => ({ subject: listOf(tools, "or"), predicate: "is never called" }),
  tools: ({ tools }) => tools,
  decidedBy: "end",
  claims: ({ tools, ifOffered }) => ({ demands: [{ tools, ifOffered }] }),
  start: (): State => ({ calls: 0, offer: NO_OFFER }),

  onTurn(state, turn, { params }) {
    const offer = seeOffer(state.offer, turn, params.tools);
    return offer === state.offer ? state : { ...state, offer };
  },
  onCall: (state, call, { params }) =>
    isToolItself(params.tools, call.call.name) ? { calls: state.calls + 1, offer: state.offer } : state,

  atEnd({ calls, offer }, _end, { params, found, notEvaluated }) {
    if (calls > 0) return;
    const verdict = judgeOffer(offer, params.ifOffered);
    if (verdict === "unknown") notEvaluated(offerUnknown(params.tools));
    if (verdict !== "judge") return;
    const note = params.tools.length === 1 ? describeOffer(offer) : undefined;
    found({
      code: "never_called",
      message:
        params.tools.length === 1
          ? `${params.tools[0]} was never called.`
          : `None of ${listOf(params.tools)} was called.`,
      ...(note === undefined ? {} : { note }),
      facts: { tools: [...params.tools] },
    });
  },

  seen: ({ calls }, { tools }) => ({ amount: calls, noun: `${listOf(tools, "or")} call` }),
  formula: ({ tools }) => tools.map((tool) => eventually(toolCall(tool))).reduce((left, right) => or(left, right)),
});
