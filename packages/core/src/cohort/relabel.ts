/**
 * The other ways in which the labels could have fallen. Inside one scenario "baseline" and "candidate" are arbitrary if
 * nothing changed, so each way to hand out the scenario's labels was equally likely.
 *
 * Few ways are all enumerated (an exact test); of many, a seeded sample is drawn. The observed labelling always comes
 * first and is one of them, so a p-value is never 0. Cost: linear in the runs per labelling.
 * Reference: Phipson and Smyth (2010), "Permutation p-values should never be zero".
 */
import { createRandom, type Random, type Seed } from "../stats/random.ts";
import type { Design, DesignScenario } from "./design.ts";

export interface RelabelOptions {
  /** The largest number of labellings that is enumerated. */
  readonly limit: number;
  /** Random labellings drawn beside the observed one when there are more. */
  readonly draws: number;
  readonly seed: Seed;
}

export interface Relabellings {
  readonly count: number;
  readonly exact: boolean;
  /** Calls `visit` once per labelling, the observed one first, until it returns true. The array is reused: read it, do not keep it. */
  forEach(visit: (labels: Uint8Array, index: number) => unknown): void;
}

/** The same labellings, ended before the one at which `isEnough` says so. */
export function until(relabellings: Relabellings, isEnough: (done: number) => boolean): Relabellings {
  return {
    ...relabellings,
    forEach(visit) {
      const next = (labels: Uint8Array, index: number) => isEnough(index) || visit(labels, index) === true;
      relabellings.forEach(next);
    },
  };
}

/** The same labellings, kept for those who go through them again. Memory: one byte per run and labelling. */
export function kept(relabellings: Relabellings): Relabellings {
  const all: Uint8Array[] = [];
  let block = new Uint8Array(0);
  relabellings.forEach((labels, index) => {
    // One block for all of them: a small array of its own for each would take longer to make than to draw.
    if (index === 0) block = new Uint8Array(relabellings.count * labels.length);
    const own = block.subarray(index * labels.length, (index + 1) * labels.length);
    own.set(labels);
    all.push(own);
  });
  return {
    ...relabellings,
    forEach(visit) {
      for (let index = 0; index < all.length; index++) if (visit(all[index]!, index) === true) return;
    },
  };
}

export function relabel(design: Design, options: RelabelOptions): Relabellings {
  const total = countLabellings(design);
  if (total <= options.limit) {
    return { count: total, exact: true, forEach: (visit) => enumerate(design, visit) };
  }
  return {
    count: options.draws + 1,
    exact: false,
    forEach: (visit) => {
      if (visit(design.observed, 0) === true) return;
      const random = createRandom(options.seed);
      const labels = new Uint8Array(design.order.length);
      for (let draw = 1; draw <= options.draws; draw++)
        if (visit(drawLabels(design, random, labels), draw) === true) return;
    },
  };
}

/** The product over scenarios of "t choose n"; Infinity when it is beyond a double. */
export function countLabellings(design: Design): number {
  let total = 1;
  for (const { baseline, candidate } of design.scenarios) {
    for (let k = 1; k <= candidate; k++) total = (total * (baseline + k)) / k;
    if (total === Number.POSITIVE_INFINITY) break;
  }
  return Math.round(total);
}

/** Hands out each scenario's labels at random: all orders of its m zeros and n ones are equally likely. */
export function drawLabels(design: Design, random: Random, labels: Uint8Array): Uint8Array {
  for (const { start, end, baseline } of design.scenarios) {
    // Most scenarios have few runs, for which `fill` takes longer.
    for (let place = start; place < end; place++) labels[place] = place < start + baseline ? 0 : 1;
    for (let index = end - start - 1; index >= 1; index--) {
      const other = start + random.below(index + 1);
      const label = labels[other]!;
      labels[other] = labels[start + index]!;
      labels[start + index] = label;
    }
  }
  return labels;
}

function enumerate(design: Design, visit: (labels: Uint8Array, index: number) => unknown): void {
  if (visit(design.observed, 0) === true) return;
  const labels = new Uint8Array(design.order.length);
  for (const scenario of design.scenarios) firstLabelling(labels, scenario);
  let index = 1;
  for (;;) {
    if (!sameLabels(labels, design.observed) && visit(labels, index++) === true) return;
    // Like an odometer: the last scenario that can still advance does, all after it start again.
    let at = design.scenarios.length - 1;
    while (at >= 0 && !nextLabelling(labels, design.scenarios[at]!)) firstLabelling(labels, design.scenarios[at--]!);
    if (at < 0) return;
  }
}

function firstLabelling(labels: Uint8Array, { start, end, baseline }: DesignScenario): void {
  labels.fill(0, start, start + baseline);
  labels.fill(1, start + baseline, end);
}

/** The next arrangement in lexicographic order; false after the last one. */
function nextLabelling(labels: Uint8Array, { start, end }: DesignScenario): boolean {
  let pivot = end - 2;
  while (pivot >= start && labels[pivot]! >= labels[pivot + 1]!) pivot--;
  if (pivot < start) return false;
  let other = end - 1;
  while (labels[other]! <= labels[pivot]!) other--;
  labels[pivot] = 1;
  labels[other] = 0;
  labels.subarray(pivot + 1, end).reverse();
  return true;
}

function sameLabels(left: Uint8Array, right: Uint8Array): boolean {
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
