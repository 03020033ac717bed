import { preset, required } from "../../read/field.ts";
import { boolean, text } from "../../read/scalars.ts";
import type { CallEvent } from "../events.ts";
import { not, toolCall, unless } from "../ltl/formula.ts";
import { describeOffer, IF_OFFERED_HELP, judgeOffer, NO_OFFER, type Offer, offerUnknown, seeOffer } from "../offer.ts";
import { defineRule, type Finding } from "../rule.ts";

interface State {
  /** Position of the first call of `first`; -1 before it. */
  readonly firstPosition: number;
  /** The first call of `second`, if it came before any `first`. */
  readonly early: CallEvent | undefined;
  /** Whether `second` has been called at all: only its first call counts, unless `each`. */
  readonly decided: boolean;
  /** Calls of `first` not yet used up by a call of `second` (`each`). */
  readonly unused: number;
  readonly guarded: number;
  readonly offer: Offer;
}

/** `second` is called only after `first`; a `second` without any `first` violates unless `require_first` is false. */
export const mustCallBefore = defineRule({
  kind: "must_call_before",
  summary: "`first` must be called before `second`",
  params: {
    first: required(text, "the tool that must come first"),
    second: required(text, "the tool it guards", { alias: "then" }),
    requireFirst: preset(boolean, true, "`second` without any `first` is a violation too"),
    each: preset(boolean, false, "every call of `second` needs a `first` of its own, not only the first one"),
    ifOffered: preset(boolean, false, IF_OFFERED_HELP),
  },
  explain: ({ first, second, each, requireFirst }) =>
    each
      ? `Before every call of ${second} there must be a call of ${first} of its own.`
      : `${first} must be called before ${second}${requireFirst ? "" : ", if both are called"}.`,
  headline: ({ first, second }) => ({ subject: second, predicate: `runs without ${first} before it` }),
  start: (): State => ({ firstPosition: -1, early: undefined, decided: false, unused: 0, guarded: 0, offer: NO_OFFER }),

  onTurn(state, turn, { params }) {
    const offer = seeOffer(state.offer, turn, [params.first]);
    return offer === state.offer ? state : { ...state, offer };
  },

  onCall(state, call, { params, found, notEvaluated }) {
    const { name, position } = call.call;
    let next = state;
    if (name === params.second) {
      next = { ...next, guarded: next.guarded + 1 };
      if (params.each) {
        if (next.unused > 0) next = { ...next, unused: next.unused - 1 };
        else if (params.requireFirst) report(state, call, params, undefined, found, notEvaluated);
      } else if (!next.decided) {
        next = { ...next, decided: true };
        if (next.firstPosition < 0) {
          next = { ...next, early: call };
          if (params.requireFirst) report(state, call, params, true, found, () => {});
        }
      }
    }
    if (name === params.first) {
      next = {
        ...next,
        unused: next.unused + 1,
        firstPosition: next.firstPosition < 0 ? position : next.firstPosition,
      };
      // Read literally (`require_first: false`) it is this call that makes the earlier one too early.
      const tooLate = !params.each && !params.requireFirst && state.early !== undefined && state.firstPosition < 0;
      if (tooLate) found({ ...describe(next, state.early!, params), provisional: true });
    }
    return next;
  },

  atEnd(state, _end, { params, found, notEvaluated }) {
    const { early } = state;
    if (early === undefined) return;
    if (state.firstPosition >= 0) found(describe(state, early, params));
    else if (params.requireFirst) report(state, early, params, undefined, found, notEvaluated);
  },

  seen: (state, { second }) => ({ amount: state.guarded, noun: `${second} call` }),
  formula: ({ first, second, requireFirst, each }) =>
    requireFirst && !each ? unless(not(toolCall(second)), toolCall(first)) : undefined,
});

interface Params {
  readonly first: string;
  readonly second: string;
  readonly ifOffered: boolean;
}

function report(
  state: State,
  call: CallEvent,
  params: Params,
  provisional: true | undefined,
  found: (finding: Finding) => void,
  notEvaluated: (why: string) => void,
): void {
  const verdict = judgeOffer(state.offer, params.ifOffered);
  if (verdict === "unknown") notEvaluated(offerUnknown([params.first]));
  if (verdict !== "judge") return;
  found({ ...describe(state, call, params), ...(provisional === undefined ? {} : { provisional }) });
}

function describe(state: State, call: CallEvent, { first, second }: Params): Finding {
  const late = state.firstPosition > call.call.position;
  const known = late ? `It was called only afterwards.` : describeOffer(state.offer);
  return {
    code: late ? "called_too_late" : "never_called",
    message: `${second} was called without ${first} before it.`,
    note: `Expected ${first} earlier.${known === undefined ? "" : ` ${known}`}`,
    call,
    subject: second,
    facts: { first, second, firstPosition: state.firstPosition, secondPosition: call.call.position },
  };
}
