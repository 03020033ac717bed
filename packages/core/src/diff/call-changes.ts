/**
 * What changed between the calls of two matched turns, to the argument path. Equal calls are paired first, wherever they
 * stand; what is left is paired by tool, in order; the rest was added or dropped. Linear in the calls and their arguments.
 */
import { isObject, type Json, jsonEqual } from "../trace/json.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

/** One argument that differs. `path` is written `refund.amount` or `items[0].id`; empty for the whole arguments. */
export interface ArgumentChange {
  readonly tool: string;
  /** Which call of the turn, from 0, on either side. */
  readonly baselineCall: number;
  readonly candidateCall: number;
  readonly path: string;
  /** Absent on the side that does not have it. */
  readonly baseline?: Json;
  readonly candidate?: Json;
}

export interface CallChanges {
  readonly arguments: readonly ArgumentChange[];
  /** Argument changes beyond those listed. */
  readonly argumentsOmitted: number;
  /** Tools of calls that only one side makes, in order. */
  readonly dropped: readonly string[];
  readonly added: readonly string[];
  /** The same calls in another order. */
  readonly reordered: boolean;
}

const MAX_ARGUMENTS = 50;

/** Answers by table and pair of call lists: the same two lists are asked about by divergences and by timelines. */
const remembered = new WeakMap<FactsTable, Map<string, CallChanges>>();

export function diffCalls(table: FactsTable, baseline: TurnFacts, candidate: TurnFacts): CallChanges {
  let known = remembered.get(table);
  if (known === undefined) {
    known = new Map();
    remembered.set(table, known);
  }
  const key = `${baseline.callsId} ${candidate.callsId}`;
  let changes = known.get(key);
  if (changes === undefined) {
    changes = compareCalls(table, baseline, candidate);
    known.set(key, changes);
  }
  return changes;
}

function compareCalls(table: FactsTable, baseline: TurnFacts, candidate: TurnFacts): CallChanges {
  const pairs = pairCalls(table, baseline.calls, candidate.calls);
  const changes: ArgumentChange[] = [];
  for (const { baseline: left, candidate: right } of pairs.changed) {
    const before = table.call(baseline.calls[left]!);
    const after = table.call(candidate.calls[right]!);
    const place = { tool: before.name, baselineCall: left, candidateCall: right };
    collectChanges(before.input, after.input, "", (change) => changes.push({ ...place, ...change }));
  }
  return {
    arguments: changes.slice(0, MAX_ARGUMENTS),
    argumentsOmitted: Math.max(0, changes.length - MAX_ARGUMENTS),
    dropped: pairs.dropped.map((index) => table.call(baseline.calls[index]!).name),
    added: pairs.added.map((index) => table.call(candidate.calls[index]!).name),
    reordered: pairs.reordered,
  };
}

interface CallPairs {
  readonly changed: readonly { readonly baseline: number; readonly candidate: number }[];
  readonly dropped: readonly number[];
  readonly added: readonly number[];
  readonly reordered: boolean;
}

function pairCalls(table: FactsTable, baseline: Int32Array, candidate: Int32Array): CallPairs {
  // Calls that did not move need no search, and they are nearly all of them.
  const moved = (own: Int32Array, other: Int32Array) =>
    Array.from(own.keys()).filter((index) => own[index] !== other[index]);
  const equal = pairByKey(baseline, candidate, moved(baseline, candidate), moved(candidate, baseline), (id) => id);
  const byTool = pairByKey(baseline, candidate, equal.restLeft, equal.restRight, (id) => table.call(id).name);
  const partner = new Map([...equal.pairs, ...byTool.pairs].map((pair) => [pair.baseline, pair.candidate]));
  let last = -1;
  let reordered = false;
  baseline.forEach((id, index) => {
    const at = partner.get(index) ?? (id === candidate[index] ? index : undefined);
    if (at === undefined) return;
    if (at < last) reordered = true;
    last = at;
  });
  return { changed: byTool.pairs, dropped: byTool.restLeft, added: byTool.restRight, reordered };
}

/** The k-th item of a key on the left goes with the k-th of that key on the right. */
function pairByKey(
  left: Int32Array,
  right: Int32Array,
  leftIndices: readonly number[],
  rightIndices: readonly number[],
  keyOf: (id: number) => unknown,
) {
  const waiting = new Map<unknown, number[]>();
  for (let at = rightIndices.length - 1; at >= 0; at--) {
    const index = rightIndices[at]!;
    const key = keyOf(right[index]!);
    const queue = waiting.get(key);
    if (queue === undefined) waiting.set(key, [index]);
    else queue.push(index);
  }
  const pairs: { baseline: number; candidate: number }[] = [];
  const restLeft: number[] = [];
  const taken = new Set<number>();
  for (const index of leftIndices) {
    const match = waiting.get(keyOf(left[index]!))?.pop();
    if (match === undefined) restLeft.push(index);
    else {
      pairs.push({ baseline: index, candidate: match });
      taken.add(match);
    }
  }
  return { pairs, restLeft, restRight: rightIndices.filter((index) => !taken.has(index)) };
}

export type FoundChange = Pick<ArgumentChange, "path" | "baseline" | "candidate">;

/** Walks both values together down to the leaves that differ. */
export function collectChanges(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
  found: (change: FoundChange) => void,
): void {
  if (jsonEqual(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const next = path === "" ? key : `${path}.${key}`;
      collectChanges(own(before, key), own(after, key), next, found);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      collectChanges(before[index], after[index], `${path}[${index}]`, found);
    }
  } else {
    found({
      path,
      ...(before === undefined ? {} : { baseline: before }),
      ...(after === undefined ? {} : { candidate: after }),
    });
  }
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
