/**
 * The review as a machine: a state and a key give the next state. Nothing here knows of terminals, files or words; what is written is
 * only ever decided at the end, when the state is done.
 */
import type { CardDecision } from "@spoor/core/internal/gate/accept-report";
import type { Key } from "./keys.ts";

/** What the machine needs to know of a card. */
export interface ReviewItem {
  readonly runs: number;
  /** What a filter looks into. */
  readonly words: string;
  /** Rules that go on blocking unless they are taken out. */
  readonly rules: readonly string[];
  readonly onlyRules: boolean;
  /** Whether its path may become a behaviour of its own instead of a variant. */
  readonly own: boolean;
  /** Decisions that cannot be taken. */
  readonly refused: readonly CardDecision[];
}

export type ItemDecision = CardDecision | "skip";

export interface ReviewState {
  readonly items: readonly ReviewItem[];
  /** The card that is looked at. */
  readonly at: number;
  /** The run of it that is looked at. */
  readonly run: number;
  readonly decisions: readonly (ItemDecision | undefined)[];
  /** What was decided before, latest last. */
  readonly past: readonly { readonly at: number; readonly before: ItemDecision | undefined }[];
  readonly folded: boolean;
  /** Lines below the beginning of what is looked at. */
  readonly scroll: number;
  readonly filter: string;
  readonly screen: "cards" | "run" | "help" | "filter" | "quit" | "rules" | "reason";
  /** What is being typed. */
  readonly typed: string;
  readonly reason: string;
  readonly rules: "keep" | "remove" | undefined;
  readonly notice?: ReviewNotice;
  readonly done?: "write" | "quit" | "interrupted";
}

export type ReviewNotice =
  | { readonly code: "nothing_to_undo" }
  | { readonly code: "nothing_decided" }
  | { readonly code: "no_match"; readonly filter: string }
  | { readonly code: "refused"; readonly decision: CardDecision }
  | { readonly code: "no_own_path" }
  | { readonly code: "only_rules"; readonly card: number }
  | { readonly code: "needs_reason" };

/** How much is to be seen, so that scrolling ends where the text does. */
export interface Extent {
  readonly rows: number;
  /** The furthest that can be scrolled. */
  readonly most: number;
}

export interface StartOptions {
  readonly reason?: string | undefined;
  readonly rules?: "keep" | "remove" | undefined;
}

export function startReview(items: readonly ReviewItem[], { reason, rules }: StartOptions = {}): ReviewState {
  return {
    items,
    at: 0,
    run: 0,
    decisions: items.map(() => undefined),
    past: [],
    folded: false,
    scroll: 0,
    filter: "",
    screen: "cards",
    typed: "",
    reason: reason ?? "",
    rules,
  };
}

/** Cards that are shown, by their places. */
export function visibleItems({ items, filter }: Pick<ReviewState, "items" | "filter">): number[] {
  const wanted = filter.toLowerCase();
  return [...items.keys()].filter((at) => items[at]!.words.toLowerCase().includes(wanted));
}

/** Places of cards that something will be written for. */
export function pendingItems({ decisions }: Pick<ReviewState, "decisions">): number[] {
  return [...decisions.keys()].filter((at) => decisions[at] !== undefined && decisions[at] !== "skip");
}

export function pressKey(before: ReviewState, key: Key, extent: Extent): ReviewState {
  const { notice: _seen, ...state } = before;
  if (key.key === "interrupt") return { ...state, done: "interrupted" };
  switch (state.screen) {
    case "help":
      return { ...state, screen: "cards", scroll: 0 };
    case "filter":
      return typing(state, key, (filter) => applyFilter(state, filter));
    case "reason":
      return typing(state, key, (reason) => giveReason(state, reason));
    case "rules":
      return answerRules(state, key);
    case "quit":
      return answerQuit(state, key);
    case "run":
      return inRun(state, key, extent);
    case "cards":
      return inCards(state, key, extent);
  }
}

function inCards(state: ReviewState, key: Key, extent: Extent): ReviewState {
  const scrolled = scroll(state, key, extent);
  if (scrolled !== undefined) return scrolled;
  if (key.key === "up") return move(state, -1);
  if (key.key === "down") return move(state, 1);
  if (key.key === "tab") return { ...state, folded: !state.folded, scroll: 0 };
  if (key.key === "enter") return { ...state, screen: "run", run: 0, scroll: 0 };
  if (key.key === "escape") return { ...state, filter: "" };
  if (key.key !== "text") return state;
  const deciding = decideByKey(state, key.text);
  if (deciding !== undefined) return deciding;
  switch (key.text) {
    case "j":
      return move(state, 1);
    case "k":
      return move(state, -1);
    case " ":
      return { ...state, folded: !state.folded, scroll: 0 };
    case "q":
      return pendingItems(state).length > 0 ? { ...state, screen: "quit" } : { ...state, done: "quit" };
    default:
      return state;
  }
}

/** Decisions are taken on the list and beside an open run alike. */
function decideByKey(state: ReviewState, text: string): ReviewState | undefined {
  switch (text) {
    case "a":
      return decide(state, "accept");
    case "n":
      return state.items[state.at]?.own ? decide(state, "accept_own") : { ...state, notice: { code: "no_own_path" } };
    case "r":
      return decide(state, "reject");
    case "s":
      return decide(state, "skip");
    case "u":
      return undo(state);
    case "w":
      return write(state);
    case "/":
      return { ...state, screen: "filter", typed: state.filter };
    case "?":
      return { ...state, screen: "help", scroll: 0 };
    default:
      return undefined;
  }
}

function inRun(state: ReviewState, key: Key, extent: Extent): ReviewState {
  const scrolled = scroll(state, key, extent);
  if (scrolled !== undefined) return scrolled;
  const back: ReviewState = { ...state, screen: "cards", scroll: 0 };
  const lines = (by: number) => ({ ...state, scroll: clamp(state.scroll + by, extent.most) });
  if (key.key === "escape" || key.key === "enter") return back;
  if (key.key === "up") return lines(-1);
  if (key.key === "down") return lines(1);
  if (key.key === "left") return otherRun(state, -1);
  if (key.key === "right" || key.key === "tab") return otherRun(state, 1);
  if (key.key !== "text") return state;
  if (key.text === "q") return back;
  if (key.text === "j") return lines(1);
  if (key.text === "k") return lines(-1);
  if (key.text === " ") return lines(extent.rows - 1);
  if (key.text === "h") return otherRun(state, -1);
  if (key.text === "l") return otherRun(state, 1);
  return decideByKey(state, key.text) ?? state;
}

function otherRun(state: ReviewState, by: number): ReviewState {
  const { runs } = state.items[state.at]!;
  return { ...state, run: (state.run + by + runs) % runs, scroll: 0 };
}

function scroll(state: ReviewState, { key }: Key, { rows, most }: Extent): ReviewState | undefined {
  const to = { page_down: state.scroll + rows - 1, page_up: state.scroll - rows + 1, home: 0, end: most }[
    key as string
  ];
  return to === undefined ? undefined : { ...state, scroll: clamp(to, most) };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

function move(state: ReviewState, by: number): ReviewState {
  const visible = visibleItems(state);
  const place = visible.indexOf(state.at) + by;
  const at = visible[clamp(place, visible.length - 1)];
  return at === undefined || at === state.at ? state : { ...state, at, run: 0, scroll: 0 };
}

/** Deciding goes on to the next card that nobody has decided about; on an open run it stays to be seen. */
function decide(state: ReviewState, decision: ItemDecision): ReviewState {
  const { at, decisions } = state;
  if (state.items[at] === undefined) return state;
  const asked = decision === "accept_own" ? "accept" : decision;
  if (decision !== "skip" && state.items[at].refused.includes(asked as CardDecision))
    return { ...state, notice: { code: "refused", decision: asked as CardDecision } };
  const decided: ReviewState = {
    ...state,
    decisions: decisions.map((one, index) => (index === at ? decision : one)),
    past: [...state.past, { at, before: decisions[at] }],
    screen: "cards",
    scroll: 0,
  };
  const visible = visibleItems(decided);
  const open = (place: number) => decided.decisions[place] === undefined;
  const next = visible.find((place) => place > at && open(place)) ?? visible.find(open);
  return next === undefined ? decided : { ...decided, at: next, run: 0 };
}

function undo(state: ReviewState): ReviewState {
  const last = state.past.at(-1);
  if (last === undefined) return { ...state, notice: { code: "nothing_to_undo" } };
  return {
    ...state,
    at: last.at,
    run: 0,
    scroll: 0,
    screen: "cards",
    decisions: state.decisions.map((one, index) => (index === last.at ? last.before : one)),
    past: state.past.slice(0, -1),
  };
}

/** Asks what is still open, one question after the other; then it is done. */
function write(state: ReviewState): ReviewState {
  const pending = pendingItems(state);
  if (pending.length === 0) return { ...state, screen: "cards", notice: { code: "nothing_decided" } };
  if (state.rules === undefined && blockingRules(state).length > 0) return { ...state, screen: "rules" };
  const stuck =
    state.rules === "remove" ? undefined : pending.find((at) => isAccepted(state, at) && state.items[at]!.onlyRules);
  if (stuck !== undefined)
    return { ...state, screen: "cards", at: stuck, rules: undefined, notice: { code: "only_rules", card: stuck + 1 } };
  if (state.reason.trim() === "") return { ...state, screen: "reason", typed: "" };
  return { ...state, done: "write" };
}

function isAccepted({ decisions }: ReviewState, at: number): boolean {
  return decisions[at] === "accept" || decisions[at] === "accept_own";
}

/** Rules by which accepted runs would go on being blocked. */
export function blockingRules(state: ReviewState): string[] {
  const accepted = pendingItems(state).filter((at) => isAccepted(state, at));
  return [...new Set(accepted.flatMap((at) => state.items[at]!.rules))];
}

function answerRules(state: ReviewState, key: Key): ReviewState {
  if (key.key === "escape") return { ...state, screen: "cards" };
  const answer = key.key === "text" ? key.text.toLowerCase() : "";
  if (answer === "y") return write({ ...state, rules: "remove" });
  // Enter alone changes no rule.
  if (answer === "n" || key.key === "enter") return write({ ...state, rules: "keep" });
  return state;
}

function answerQuit(state: ReviewState, key: Key): ReviewState {
  if (key.key !== "text") return key.key === "escape" ? { ...state, screen: "cards" } : state;
  if (key.text === "w") return write({ ...state, screen: "cards" });
  if (key.text === "d") return { ...state, done: "quit" };
  return state;
}

function typing(state: ReviewState, key: Key, entered: (typed: string) => ReviewState): ReviewState {
  const { typed } = state;
  if (key.key === "escape") return { ...state, screen: "cards", typed: "" };
  if (key.key === "enter") return entered(typed);
  if (key.key === "backspace") return { ...state, typed: [...typed].slice(0, -1).join("") };
  if (key.key === "clear") return { ...state, typed: "" };
  return key.key === "text" ? { ...state, typed: typed + key.text } : state;
}

function applyFilter(state: ReviewState, filter: string): ReviewState {
  const visible = visibleItems({ items: state.items, filter });
  if (visible.length === 0) return { ...state, screen: "cards", typed: "", notice: { code: "no_match", filter } };
  const at = visible.includes(state.at) ? state.at : visible[0]!;
  return { ...state, screen: "cards", filter, at, run: 0, scroll: 0, typed: "" };
}

function giveReason(state: ReviewState, reason: string): ReviewState {
  if (reason.trim() === "") return { ...state, notice: { code: "needs_reason" } };
  return write({ ...state, reason, typed: "" });
}
