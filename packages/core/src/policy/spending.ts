/**
 * What has been used up against a limit that holds for a window of time, or over several sessions.
 *
 * Of a running agent only what the window still holds is kept. Its clock never runs back: a call is as late as the latest before
 * it, so that a clock that is set back opens no window again. Of a recording everything is kept until the end, which puts it into
 * the order of its times: calls that were recorded in another order, or at the same moment, are counted all the same.
 * A window is open at its beginning: what happened exactly so long ago no longer counts.
 */
import type { CallEvent, TurnMark } from "./events.ts";
import { MAX_REMEMBERED } from "./layered-map.ts";
import type { Rate } from "./rate.ts";
import type { EndEvent } from "./rule.ts";

export interface Spending {
  /** Of a running agent: what was committed. Changed in place by `settleSpending` alone, and by time as it passes. */
  readonly kept: Kept;
  /** The same of a step that may still be dropped. */
  readonly pending: readonly Spent[];
  /** Of a recording: everything, latest first. */
  readonly all: Chain | undefined;
}

interface Kept {
  entries: Spent[];
  /** Entries before it have left the window. */
  head: number;
  sum: number;
  latest: number;
}

interface Spent {
  readonly at: number;
  readonly amount: number;
}

/** One thing of a recording that counts, with its place. */
export interface Item {
  /** Milliseconds since 1970; undefined where the recording has no times. */
  readonly at: number | undefined;
  readonly amount: number;
  readonly call?: CallEvent;
  readonly turn?: TurnMark;
}

interface Chain {
  readonly item: Item;
  readonly before: Chain | undefined;
}

export function noSpending(): Spending {
  return {
    kept: { entries: [], head: 0, sum: 0, latest: Number.NEGATIVE_INFINITY },
    pending: [],
    all: undefined,
  };
}

/** A running agent spends: what the window then holds, and the spending as it is if the step is kept. */
export function spend(before: Spending, item: Item, { seconds }: Rate): { total: number; after: Spending } {
  const { kept, pending } = before;
  kept.latest = Math.max(kept.latest, item.at ?? Number.NEGATIVE_INFINITY);
  const { latest } = kept;
  if (seconds !== undefined) leave(kept, latest - seconds * 1000);
  const next = { at: seconds === undefined ? 0 : latest, amount: item.amount };
  let total = kept.sum + item.amount;
  for (const { amount } of pending) total += amount;
  return { total, after: { kept, pending: pending.length === 0 ? [next] : [...pending, next], all: before.all } };
}

/** That time has passed is a fact, whether the step is kept or not. */
function leave(kept: Kept, until: number): void {
  const { entries } = kept;
  while (kept.head < entries.length && entries[kept.head]!.at <= until) kept.sum -= entries[kept.head++]!.amount;
  if (kept.head === entries.length) {
    kept.entries = [];
    kept.head = 0;
    // Nothing is left, and nothing of what sums of fractions leave behind.
    kept.sum = 0;
  } else if (kept.head > 1024 && kept.head * 2 > entries.length) {
    kept.entries = entries.slice(kept.head);
    kept.head = 0;
  }
}

export function settleSpending(spending: Spending): Spending {
  const { kept, pending } = spending;
  if (pending.length === 0) return spending;
  for (const spent of pending) {
    kept.sum += spent.amount;
    const last = kept.entries.at(-1);
    // Of the same moment, or of one too many: one entry for both, as late as the later.
    const isFull = kept.entries.length - kept.head >= MAX_REMEMBERED;
    if (last !== undefined && kept.head < kept.entries.length && (last.at === spent.at || isFull))
      kept.entries[kept.entries.length - 1] = { at: spent.at, amount: last.amount + spent.amount };
    else kept.entries.push(spent);
  }
  return { kept, pending: [], all: spending.all };
}

/** Something that a recording shows. */
export function noteSpent(spending: Spending, item: Item): Spending {
  return { kept: spending.kept, pending: spending.pending, all: { item, before: spending.all } };
}

export interface Overspent {
  readonly item: Item;
  readonly total: number;
}

/** Those of its own items at which a window, over all recordings of the user, holds more than the limit allows. */
export function overspent(
  own: Spending,
  { peers, user }: Pick<EndEvent, "peers" | "user">,
  per: Rate,
  isOver: (total: number) => boolean,
): readonly Overspent[] {
  if (per.user === true && user === undefined) return [];
  const totals = per.user === true && peers !== undefined ? totalsOfPeers(peers, per) : totalsOf(itemsOf(own), per);
  return itemsOf(own).flatMap((item) => {
    const total = totals.get(item);
    return total !== undefined && isOver(total) ? [{ item, total }] : [];
  });
}

/** All recordings of a user ask about the same peers: their states, each with its spending. */
function totalsOfPeers(peers: readonly unknown[], per: Rate): ReadonlyMap<Item, number> {
  let totals = knownTotals.get(peers);
  if (totals === undefined) {
    totals = totalsOf(
      (peers as readonly { readonly spending: Spending }[]).flatMap(({ spending }) => itemsOf(spending)),
      per,
    );
    knownTotals.set(peers, totals);
  }
  return totals;
}

const knownTotals = new WeakMap<readonly unknown[], ReadonlyMap<Item, number>>();

/** Why a recording cannot be held to the rate, or not wholly. */
export function unclearRate(
  own: Spending,
  per: Rate,
  { user }: Pick<EndEvent, "user">,
  noun: string,
): string | undefined {
  const items = itemsOf(own);
  if (items.length === 0) return undefined;
  if (per.user === true && user === undefined)
    return "the recording does not say for whom it is: principal.user of its metadata";
  const untimed = items.filter(({ at }) => at === undefined).length;
  if (per.seconds === undefined || untimed === 0) return undefined;
  return `${untimed === items.length ? "no" : "not every"} ${noun} was recorded with its time`;
}

/** For each item what its window holds when it is over; an item without a time is in no window. */
function totalsOf(items: readonly Item[], { seconds }: Rate): ReadonlyMap<Item, number> {
  const totals = new Map<Item, number>();
  const isTimed = items.every(({ at }) => at !== undefined);
  const ordered = seconds === undefined && !isTimed ? [...items] : inTime(items.filter(({ at }) => at !== undefined));
  let first = 0;
  let sum = 0;
  for (const item of ordered) {
    sum += item.amount;
    if (seconds !== undefined) while (ordered[first]!.at! <= item.at! - seconds * 1000) sum -= ordered[first++]!.amount;
    totals.set(item, sum);
  }
  return totals;
}

function inTime(items: readonly Item[]): readonly Item[] {
  return [...items].sort((left, right) => left.at! - right.at!);
}

/** In the order of the recording. */
function itemsOf(spending: Spending): readonly Item[] {
  const items: Item[] = [];
  for (let link = spending.all; link !== undefined; link = link.before) items.push(link.item);
  return items.reverse();
}
