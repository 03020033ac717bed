/**
 * The words that moved the most, to make a changed wording tangible. An illustration: the words are chosen after the fact
 * and carry no p-value. Only words in at least 5 % of the runs, by |z| of "the run says it". Cost: linear in the words.
 */
import type { Design } from "./design.ts";
import type { Observation } from "./observe.ts";

export interface IllustrationWord {
  readonly word: string;
  /** Share of baseline runs that say it. */
  readonly baseline: number;
  readonly candidate: number;
  readonly z: number;
}

const COMMON_ENOUGH = 0.05;

export function illustrateWords(
  design: Design,
  runs: readonly Observation[],
  words: readonly string[],
  most = 8,
): IllustrationWord[] {
  const totals = new Map<number, WordTotals>();
  for (const { start, end, candidate, weight } of design.scenarios) {
    const inScenario = new Map<number, { all: number; candidate: number }>();
    for (let place = start; place < end; place++) {
      for (const word of runs[design.order[place]!]!.words) {
        const counts = inScenario.get(word) ?? { all: 0, candidate: 0 };
        counts.all++;
        counts.candidate += design.observed[place]!;
        inScenario.set(word, counts);
      }
    }
    const size = end - start;
    for (const [word, counts] of inScenario) {
      const total = totals.get(word) ?? { baseline: 0, candidate: 0, sum: 0, variance: 0 };
      totals.set(word, total);
      total.baseline += counts.all - counts.candidate;
      total.candidate += counts.candidate;
      total.sum += counts.candidate - (counts.all * candidate) / size;
      total.variance += (weight * ((counts.all * (size - counts.all)) / size)) / (size - 1);
    }
  }
  const runCount = design.order.length;
  const candidates = design.observed.reduce((sum, label) => sum + label, 0);
  const found: IllustrationWord[] = [];
  for (const [word, total] of totals) {
    if (total.baseline + total.candidate < COMMON_ENOUGH * runCount || total.variance <= 1e-12) continue;
    found.push({
      word: words[word]!,
      baseline: total.baseline / (runCount - candidates),
      candidate: total.candidate / candidates,
      z: total.sum / Math.sqrt(total.variance),
    });
  }
  return found.sort((left, right) => Math.abs(right.z) - Math.abs(left.z)).slice(0, most);
}

interface WordTotals {
  baseline: number;
  candidate: number;
  sum: number;
  variance: number;
}
