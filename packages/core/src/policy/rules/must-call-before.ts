import { oneOrMany } from "../../read/collections.ts";
import { optional, preset, required } from "../../read/field.ts";
import { mapping } from "../../read/mapping.ts";
import { boolean, integer, number, text } from "../../read/scalars.ts";
import { isTool, isToolItself } from "../../text/tool-name.ts";
import { countOf, listOf } from "../../text/words.ts";
import type { CallEvent } from "../events.ts";
import { emptyLayers, isBeyond, type LayeredMap, lookUp, settleLayers, tooMany, withEntry } from "../layered-map.ts";
import { not, toolCall, unless } from "../ltl/formula.ts";
import { describeOffer, IF_OFFERED_HELP, judgeOffer, NO_OFFER, type Offer, offerUnknown, seeOffer } from "../offer.ts";
import type { Path } from "../path.ts";
import { defineRule, type Finding, type StepContext } from "../rule.ts";
import { pathText } from "../shapes.ts";
import {
  afterFirst,
  afterResult,
  EMPTY_GROUP,
  type Group,
  keyOf,
  type Lack,
  lackOf,
  type Reach,
  useUp,
} from "./order-groups.ts";

interface State {
  /** Position of the first call of `first`; -1 before it. */
  readonly firstPosition: number;
  /** Calls of `first` per set of `same` values. */
  readonly groups: LayeredMap<Group>;
  /** Calls of `first` whose `same` values are not known: they may be the ones that are missing. */
  readonly nameless: number;
  /** Whether `second` has been called at all: only its first call counts, unless every one is looked at. */
  readonly decided: boolean;
  /** What is wrong if results count, and what is wrong if none were recorded. */
  readonly strict: Chain | undefined;
  readonly lenient: Chain | undefined;
  /** Calls of `first` that ended only after a guarded call. */
  readonly endedLate: ReadonlySet<number>;
  readonly guarded: number;
  readonly offer: Offer;
}

/** What a step changes; literals throughout, because this is made at every guarded call, and a spread costs ten times as much. */
type Changes = { readonly [K in keyof State]?: State[K] | undefined };

function changed(state: State, changes: Changes): State {
  return {
    firstPosition: changes.firstPosition ?? state.firstPosition,
    groups: changes.groups ?? state.groups,
    nameless: changes.nameless ?? state.nameless,
    decided: changes.decided ?? state.decided,
    strict: changes.strict ?? state.strict,
    lenient: changes.lenient ?? state.lenient,
    endedLate: changes.endedLate ?? state.endedLate,
    guarded: changes.guarded ?? state.guarded,
    offer: changes.offer ?? state.offer,
  };
}

/** Offences, latest first. */
interface Chain {
  readonly offence: Offence;
  readonly length: number;
  readonly before: Chain | undefined;
}

interface Offence {
  readonly call: CallEvent;
  readonly reason: Lack | "failed" | "not_ended" | "for_another" | "unnamed" | "no_key";
  readonly open: readonly number[];
}

interface Params {
  readonly first: string;
  readonly second: string;
  readonly requireFirst: boolean;
  readonly each: boolean;
  readonly ifOffered: boolean;
  readonly firstSucceeded: boolean;
  readonly same: readonly Path[];
  readonly within?: Reach;
}

const within = mapping(
  "within",
  {
    turns: optional(integer({ min: 0 }), "at most so many turns before; 0 is the same turn"),
    seconds: optional(number({ min: 0 }), "at most so many seconds before, where the recording has times"),
  },
  { atLeastOne: [["turns", "seconds"]] },
);

/** `second` is called only after `first`; a `second` without any `first` violates unless `require_first` is false. */
export const mustCallBefore = defineRule({
  kind: "must_call_before",
  summary: "`first` must be called before `second`",
  params: {
    first: required(text, "the tool that must come first"),
    second: required(text, "the tool it guards", { alias: "then" }),
    requireFirst: preset(boolean, true, "`second` without any `first` is a violation too"),
    firstSucceeded: preset(
      boolean,
      true,
      "a `first` that failed or has not ended does not count; where a trace records no results at all, every call counts",
    ),
    each: preset(boolean, false, "every call of `second` needs a `first` of its own, not only the first one"),
    same: preset(
      oneOrMany(pathText),
      [] as readonly Path[],
      "arguments that must be equal in both: every call of `second` needs a `first` for the same order_id",
    ),
    within: optional(within, "how long before `second` the latest `first` may be: `{turns: 3}`, `{seconds: 300}`"),
    ifOffered: preset(boolean, false, IF_OFFERED_HELP),
  },
  explain: ({ first, second, each, requireFirst, same, within }) => {
    const what = `${first}${same.length === 0 ? "" : ` with the same ${listOf(same.map(({ text }) => text))}`}`;
    const when = `before ${second}${within === undefined ? "" : `, at most ${reachWords(within)} before it`}`;
    return each
      ? `Before every call of ${second} there must be a call of ${what} of its own${within === undefined ? "" : `, at most ${reachWords(within)} before it`}.`
      : `${what} must be called ${when}${requireFirst ? "" : ", if both are called"}.`;
  },
  judgesBlind: () => true,
  headline: ({ first, second }) => ({ subject: second, predicate: `runs without ${first} before it` }),
  tools: ({ first, second }) => [first, second],
  claims: ({ first, second, requireFirst, ifOffered, within, firstSucceeded }) => ({
    needs: [[first], [second]],
    orders: [
      { first, second, required: requireFirst, ifOffered, firstSucceeded, ...(within === undefined ? {} : { within }) },
    ],
  }),
  argumentPaths: ({ same }) => same,
  needsResults: ({ firstSucceeded }) => firstSucceeded,
  needsTurns: ({ within }) => within?.turns !== undefined,
  readsOutputOf: () => [],
  needsClock: ({ within }) => within?.seconds !== undefined,
  effects: () => ["ask"],
  start: (): State => ({
    firstPosition: -1,
    groups: emptyLayers(),
    nameless: 0,
    decided: false,
    strict: undefined,
    lenient: undefined,
    endedLate: new Set(),
    guarded: 0,
    offer: NO_OFFER,
  }),

  onTurn(state, turn, { params }) {
    const offer = seeOffer(state.offer, turn, [params.first]);
    return offer === state.offer ? state : changed(state, { offer });
  },

  onCall(state, call, context) {
    const { first, second } = context.params;
    const { name } = call.call;
    let next = state;
    if (isTool([second], name)) next = afterGuarded(next, call, context);
    if (isToolItself([first], name)) next = afterFirstCall(next, call, context);
    return next;
  },

  onResult(state, call, { params, live }) {
    if (!isToolItself([params.first], call.call.name)) return state;
    const key = keyOf(call, params.same);
    const { position } = call.call;
    // A running agent is not waited for: what has not ended before the guarded call is an offence, whenever it ends.
    const isLate = !live && isOpenIn(state.strict, position);
    const groups =
      key === undefined
        ? state.groups
        : withEntry(state.groups, key, afterResult(lookUp(state.groups, key) ?? EMPTY_GROUP, call));
    return isLate
      ? changed(state, { groups, endedLate: new Set([...state.endedLate, position]) })
      : changed(state, { groups });
  },

  atEnd(state, { results }, { params, live, found, notEvaluated }) {
    const chain = params.firstSucceeded && (live || results) ? state.strict : state.lenient;
    for (const offence of inOrder(chain)) {
      const why = unknown(state, offence, params, live);
      if (why === undefined) {
        if (counts(state, params)) found(describe(state, offence, params));
      } else if (!live && why !== "") notEvaluated(why);
    }
  },

  settle: (state) =>
    state.groups.changes === undefined ? state : changed(state, { groups: settleLayers(state.groups) }),
  seen: (state, { second }) => ({ amount: state.guarded, noun: `${second} call` }),
  formula: ({ first, second, requireFirst, each }) =>
    requireFirst && !each ? unless(not(toolCall(second)), toolCall(first)) : undefined,
});

function afterGuarded(state: State, call: CallEvent, context: StepContext<Params>): State {
  const { params } = context;
  const next = changed(state, { guarded: state.guarded + 1 });
  const looksAtAll = params.each || params.same.length > 0 || params.within !== undefined;
  if (next.decided && !looksAtAll) return next;
  const key = keyOf(call, params.same);
  const group = key === undefined ? EMPTY_GROUP : (lookUp(state.groups, key) ?? EMPTY_GROUP);
  // A running agent tells how calls end: what would be wrong if it did not is no question.
  const strict = isAsked("succeeded", context) ? offenceOf(state, group, "succeeded", key, call, params) : undefined;
  const lenient = isAsked("made", context) ? offenceOf(state, group, "made", key, call, params) : undefined;
  const blamed = params.firstSucceeded ? strict : lenient;
  if (context.live && blamed !== undefined) warn(next, blamed, context);
  let used = group;
  if (strict === undefined) used = useUp(used, "succeeded");
  if (lenient === undefined) used = useUp(used, "made");
  return changed(next, {
    decided: true,
    groups: key === undefined || !params.each ? next.groups : withEntry(next.groups, key, used),
    strict: withOffence(next.strict, strict, context.live),
    lenient: withOffence(next.lenient, lenient, context.live),
  });
}

function isAsked(which: "made" | "succeeded", { live, params }: StepContext<Params>): boolean {
  return !live || (which === "succeeded") === params.firstSucceeded;
}

/** Of a running agent, which was told each as it happened, the end repeats only so many. */
const MAX_OFFENCES = 1000;

function withOffence(before: Chain | undefined, offence: Offence | undefined, live: boolean): Chain | undefined {
  const length = (before?.length ?? 0) + 1;
  if (offence === undefined || (live && length > MAX_OFFENCES)) return before;
  return { offence: live ? { ...offence, open: [] } : offence, length, before };
}

function afterFirstCall(state: State, call: CallEvent, context: StepContext<Params>): State {
  const { params } = context;
  const key = keyOf(call, params.same);
  if (context.live && key !== undefined && isBeyond(state.groups, key)) {
    context.notEvaluated(`${params.first} was called for ${tooMany(listOf(params.same.map(({ text }) => text)))}`);
    return state;
  }
  const isFirst = state.firstPosition < 0;
  const next = changed(state, {
    firstPosition: isFirst ? call.call.position : state.firstPosition,
    nameless: state.nameless + (key === undefined ? 1 : 0),
    groups:
      key === undefined
        ? state.groups
        : withEntry(state.groups, key, afterFirst(lookUp(state.groups, key) ?? EMPTY_GROUP, call)),
  });
  // Read literally (`require_first: false`) it is this call that makes the earlier one too early.
  const early = params.firstSucceeded ? state.strict : state.lenient;
  if (context.live && isFirst && !params.requireFirst && early !== undefined)
    context.found({ ...describe(next, early.offence, params), provisional: true });
  return next;
}

/** What is wrong with a guarded call, if only firsts that were `made`, or that `succeeded`, count. */
function offenceOf(
  state: State,
  group: Group,
  which: "made" | "succeeded",
  key: string | undefined,
  call: CallEvent,
  { each, within }: Params,
): Offence | undefined {
  if (key === undefined) return { call, reason: "no_key", open: [] };
  const lack = lackOf(group[which], call, each, within);
  if (lack === undefined) return undefined;
  const open = which === "succeeded" ? group.open : [];
  if (open.length > 0) return { call, reason: "not_ended", open };
  if (state.nameless > 0) return { call, reason: "unnamed", open };
  if (lack !== "none") return { call, reason: lack, open };
  if (which === "succeeded" && group.failed > 0) return { call, reason: "failed", open };
  return { call, reason: state.firstPosition >= 0 && group.made.count === 0 ? "for_another" : "none", open };
}

/** The guard acts at once; what only the end can word finally is worded there. */
function warn(state: State, offence: Offence, { params, found, notEvaluated }: StepContext<Params>): void {
  const why = unknown(state, offence, params, true);
  if (why !== undefined) {
    if (why !== "") notEvaluated(why);
  } else if (counts(state, params)) found({ ...describe(state, offence, params), provisional: true });
}

/** Read literally, the order is broken only where both are called. */
function counts(state: State, { requireFirst }: Params): boolean {
  return requireFirst || state.firstPosition >= 0;
}

/** Why nobody can tell whether it is an offence; empty when it is none, undefined when it is one. */
function unknown(state: State, offence: Offence, params: Params, live: boolean): string | undefined {
  const { first, second } = params;
  const paths = listOf(params.same.map((path) => path.text));
  switch (offence.reason) {
    case "not_ended":
      if (live || offence.open.some((position) => state.endedLate.has(position))) return undefined;
      return `whether ${first} succeeded before ${second} was not recorded`;
    case "no_key":
      return `a call of ${second} does not say its ${paths}`;
    case "unnamed":
      return `a call of ${first} does not say its ${paths}`;
    case "no_time":
      return `the calls of ${first} and ${second} have no times`;
    case "none": {
      if (state.firstPosition >= 0 || !params.requireFirst) return undefined;
      const verdict = judgeOffer(state.offer, params.ifOffered);
      if (verdict === "unknown") return offerUnknown([first]);
      return verdict === "skip" ? "" : undefined;
    }
    default:
      return undefined;
  }
}

function describe(state: State, { call, reason }: Offence, params: Params): Finding {
  const { first, second } = params;
  const late = state.firstPosition > call.call.position;
  return {
    code: late ? "called_too_late" : (CODES[reason] ?? "never_called"),
    message: `${second} was called without ${first} before it.`,
    note: `Expected ${first} earlier.${noteOf(state, reason, late, params)}`,
    call,
    subject: second,
    facts: { first, second, firstPosition: state.firstPosition, secondPosition: call.call.position },
  };
}

const CODES: Readonly<Partial<Record<Offence["reason"], string>>> = {
  failed: "first_failed",
  not_ended: "first_not_ended",
  for_another: "first_for_another",
  too_long_ago: "first_too_long_ago",
};

function noteOf(state: State, reason: Offence["reason"], late: boolean, { same, within }: Params): string {
  if (late) return " It was called only afterwards.";
  switch (reason) {
    case "failed":
      return " It was called and failed.";
    case "not_ended":
      return " It was called and had not ended.";
    case "for_another":
      return ` It was called with another ${listOf(same.map((path) => path.text))}.`;
    case "too_long_ago":
      return ` It was called more than ${reachWords(within!)} before.`;
    case "used_up":
      return "";
    default: {
      const known = describeOffer(state.offer);
      return known === undefined ? "" : ` ${known}`;
    }
  }
}

/** `3 turns` or `300 seconds` */
function reachWords({ turns, seconds }: Reach): string {
  const words = [
    ...(turns === undefined ? [] : [countOf(turns, "turn")]),
    ...(seconds === undefined ? [] : [countOf(seconds, "second")]),
  ];
  return listOf(words, "and");
}

function isOpenIn(chain: Chain | undefined, position: number): boolean {
  for (let link = chain; link !== undefined; link = link.before) if (link.offence.open.includes(position)) return true;
  return false;
}

function inOrder(chain: Chain | undefined): readonly Offence[] {
  const offences: Offence[] = [];
  for (let link = chain; link !== undefined; link = link.before) offences.push(link.offence);
  return offences.reverse();
}
