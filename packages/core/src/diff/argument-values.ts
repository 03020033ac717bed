/**
 * What arguments are called with, baseline against candidate, over all compared runs: amounts as a spread, words as counts. Only arguments
 * whose values moved are listed, and only runs count in which both sides call them: a call that is gone is no other value. An average of turns cannot show that every refund has doubled; this can.
 *
 * How far: for numbers the two-sample Kolmogorov-Smirnov distance (the largest gap between the shares of values up to any number), for
 * words the total variation distance (half the sum of the differences of shares). Both are 0 for alike and 1 for nothing in common.
 * https://en.wikipedia.org/wiki/Kolmogorov%E2%80%93Smirnov_test https://en.wikipedia.org/wiki/Total_variation_distance_of_probability_measures
 */
import { quantileOfSorted } from "../stats/quantile.ts";
import { flatten } from "../text/brief-json.ts";
import { type Json, jsonEqual, stringifyJson } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";

export interface ArgumentValues {
  /** The furthest apart first. */
  readonly arguments: readonly ArgumentShift[];
  /** Arguments that moved and are not listed. */
  readonly more: number;
  /** Arguments with another value in nearly every call, such as ids and free text: nothing can be said about how they moved. */
  readonly unique: number;
}

export interface ArgumentShift {
  readonly tool: string;
  /** Positions in lists are left out: `items[].id`. */
  readonly path: string;
  readonly distance: number;
  /** Calls that have the argument. */
  readonly calls: { readonly baseline: number; readonly candidate: number };
  /** Positions, in the report's `traces`, of the pairs in which the values differ. */
  readonly pairs: readonly number[];
  readonly values: NumberValues | WordValues;
}

export interface NumberValues {
  readonly kind: "numbers";
  readonly baseline: Spread;
  readonly candidate: Spread;
}

export interface Spread {
  readonly lowest: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly highest: number;
  /** In ascending order; of very many, evenly picked ones. */
  readonly shown: readonly number[];
}

export interface WordValues {
  readonly kind: "words";
  /** The commonest of either side first, with the calls of each side. */
  readonly values: readonly { readonly value: string; readonly baseline: number; readonly candidate: number }[];
  /** Further values. */
  readonly more: number;
}

interface PairOfRuns {
  readonly baseline: Pick<Trace, "toolCalls">;
  readonly candidate: Pick<Trace, "toolCalls">;
}

type Side = "baseline" | "candidate";

interface Collected {
  readonly tool: string;
  readonly path: string;
  readonly baseline: Json[];
  readonly candidate: Json[];
  readonly pairs: number[];
}

const LISTED = 12;
const SHOWN_NUMBERS = 60;
const SHOWN_WORDS = 8;
const LONGEST_WORD = 80;
/** Fewer calls say nothing about whether a value is always another. */
const FEW = 4;

/** `clean` takes out what must not leave the machine; it knows a secret by the name that it stands under. */
export function buildArgumentValues(pairs: readonly PairOfRuns[], clean: (input: Json) => Json): ArgumentValues {
  const collected = collect(pairs, clean);
  const shifts: ArgumentShift[] = [];
  let unique = 0;
  for (const one of collected) {
    if (one.pairs.length === 0) continue;
    const shift = shiftOf(one);
    if (shift === "unique") unique++;
    else if (shift.distance > 0) shifts.push(shift);
  }
  shifts.sort((one, other) => other.distance - one.distance || other.pairs.length - one.pairs.length);
  return { arguments: shifts.slice(0, LISTED), more: Math.max(0, shifts.length - LISTED), unique };
}

function collect(pairs: readonly PairOfRuns[], clean: (input: Json) => Json): Iterable<Collected> {
  const found = new Map<string, Collected>();
  for (const [at, pair] of pairs.entries()) {
    const baseline = valuesOf(pair.baseline, clean);
    const candidate = valuesOf(pair.candidate, clean);
    for (const [key, { tool, path, values: before }] of baseline) {
      const after = candidate.get(key)?.values;
      if (after === undefined) continue;
      const one = found.get(key) ?? { tool, path, baseline: [], candidate: [], pairs: [] };
      found.set(key, one);
      for (const value of before) one.baseline.push(value);
      for (const value of after) one.candidate.push(value);
      if (!jsonEqual(before, after)) one.pairs.push(at);
    }
  }
  return found.values();
}

interface RunValues {
  readonly tool: string;
  readonly path: string;
  readonly values: Json[];
}

/** What one run calls each argument with, in the order of its calls. */
function valuesOf({ toolCalls }: Pick<Trace, "toolCalls">, clean: (input: Json) => Json): Map<string, RunValues> {
  const found = new Map<string, RunValues>();
  for (const { name: tool, input } of toolCalls) {
    if (input === undefined) continue;
    for (const { path, value } of flatten(clean(input), "")) {
      const plain = path.replaceAll(/\[\d+\]/g, "[]");
      const key = JSON.stringify([tool, plain]);
      const one = found.get(key) ?? { tool, path: plain, values: [] };
      found.set(key, one);
      one.values.push(value);
    }
  }
  return found;
}

function shiftOf({ tool, path, baseline, candidate, pairs }: Collected): ArgumentShift | "unique" {
  const calls = { baseline: baseline.length, candidate: candidate.length };
  if ([...baseline, ...candidate].every(isNumber)) {
    const before = Float64Array.from(baseline, Number).sort();
    const after = Float64Array.from(candidate, Number).sort();
    const values: NumberValues = { kind: "numbers", baseline: spreadOf(before), candidate: spreadOf(after) };
    return { tool, path, distance: largestGap(before, after), calls, pairs, values };
  }
  const counts = new Map<string, { value: string; baseline: number; candidate: number }>();
  const add = (side: Side) => (value: Json) => {
    const key = stringifyJson(value);
    const one = counts.get(key) ?? { value: shorten(key), baseline: 0, candidate: 0 };
    counts.set(key, one);
    one[side]++;
  };
  baseline.forEach(add("baseline"));
  candidate.forEach(add("candidate"));
  const all = [...counts.values()];
  const distinct = (side: Side) => all.filter((one) => one[side] > 0).length;
  const isUnique = (side: Side) => calls[side] >= FEW && distinct(side) > calls[side] / 2;
  if (isUnique("baseline") && isUnique("candidate")) return "unique";
  const share = (side: Side, one: { baseline: number; candidate: number }) => one[side] / calls[side];
  const distance = all.reduce((sum, one) => sum + Math.abs(share("baseline", one) - share("candidate", one)), 0) / 2;
  all.sort((one, other) => other.baseline + other.candidate - one.baseline - one.candidate);
  const values: WordValues = {
    kind: "words",
    values: all.slice(0, SHOWN_WORDS),
    more: Math.max(0, all.length - SHOWN_WORDS),
  };
  return { tool, path, distance, calls, pairs, values };
}

function isNumber(value: Json): boolean {
  return (typeof value === "number" && Number.isFinite(value)) || typeof value === "bigint";
}

/** Both in ascending order. */
function largestGap(before: Float64Array, after: Float64Array): number {
  let [left, right, gap] = [0, 0, 0];
  while (left < before.length && right < after.length) {
    const value = Math.min(before[left]!, after[right]!);
    while (left < before.length && before[left]! <= value) left++;
    while (right < after.length && after[right]! <= value) right++;
    gap = Math.max(gap, Math.abs(left / before.length - right / after.length));
  }
  return gap;
}

function spreadOf(sorted: Float64Array): Spread {
  const last = sorted.length - 1;
  const amount = Math.min(SHOWN_NUMBERS, sorted.length);
  return {
    lowest: sorted[0]!,
    lowerQuartile: quantileOfSorted(sorted, 0.25),
    median: quantileOfSorted(sorted, 0.5),
    upperQuartile: quantileOfSorted(sorted, 0.75),
    highest: sorted[last]!,
    shown: Array.from({ length: amount }, (_, at) => sorted[Math.round((at * last) / Math.max(1, amount - 1))]!),
  };
}

function shorten(text: string): string {
  return text.length <= LONGEST_WORD ? text : `${text.slice(0, LONGEST_WORD - 1).toWellFormed()}…`;
}
