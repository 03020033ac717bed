/**
 * Runs that ended without an answer: did their share change? A run that died shows no tools and no words, so it takes no part in
 * the other signals; here it counts, and only here, beside every run that did end with an answer.
 *
 * If nothing changed, which runs of a scenario are the candidate's is an accident, so the number of dead candidate runs is a
 * sum of hypergeometric numbers, one per scenario. Its whole distribution is computed, so p is exact. Two-sided.
 * Cost: scenarios · dead runs.
 */
import { buildDesign, type Design } from "./design.ts";
import type { Ending, Side } from "./run.ts";

export interface EndedRun {
  readonly scenario: string;
  readonly side: Side;
  /** How it ended without an answer; absent when it ended with one. */
  readonly ended?: Ending;
}

export interface Endings {
  readonly baseline: EndedShare;
  readonly candidate: EndedShare;
  /** Candidate runs by how they ended. */
  readonly how: Readonly<Partial<Record<Ending, number>>>;
  /** Squared distance from what is expected, over its variance: 1 is noise. */
  readonly ratio: number;
  /** 95 % of the relabellings stay at or below this ratio. */
  readonly noise: number;
  readonly z: number;
  readonly p: number;
  /** The smallest p that these runs could give. */
  readonly reachable: number;
}

export interface EndedShare {
  readonly runs: number;
  readonly of: number;
}

export interface EndingsTest {
  readonly endings: Endings;
  readonly design: Design;
  /** 1 for a run that ended without an answer, by place of the design. */
  readonly values: Float64Array;
}

/** Weights are scaled down before they leave the range of a double. */
const LARGE = 1e200;

/** Undefined when no run of a scenario that both sides have ended without an answer. */
export function testEndings(runs: readonly EndedRun[]): EndingsTest | undefined {
  const design = buildDesign(runs.map(({ scenario, side }) => ({ scenario, side })));
  const values = Float64Array.from(design.order, (position) => (runs[position]!.ended === undefined ? 0 : 1));
  if (!values.includes(1)) return undefined;
  let chances = [1];
  let [seen, expected, variance] = [0, 0, 0];
  for (const { start, end, candidate } of design.scenarios) {
    const total = end - start;
    let dead = 0;
    for (let place = start; place < end; place++) {
      dead += values[place]!;
      if (design.observed[place] === 1) seen += values[place]!;
    }
    expected += (dead * candidate) / total;
    variance += total < 2 ? 0 : (dead * candidate * (total - dead) * (total - candidate)) / (total ** 2 * (total - 1));
    chances = convolve(chances, hypergeometric(total, dead, candidate));
  }
  const distance = Math.abs(seen - expected);
  const beyond = (limit: number) =>
    Math.min(1, sumOf(chances.filter((_, count) => Math.abs(count - expected) >= limit - 1e-9)));
  const furthest = chances.reduce(
    (most, chance, count) => (chance > 0 ? Math.max(most, Math.abs(count - expected)) : most),
    0,
  );
  const ratioOf = (away: number) => (variance === 0 ? 1 : away ** 2 / variance);
  return {
    endings: {
      baseline: shareOf(design, values, 0),
      candidate: shareOf(design, values, 1),
      how: countHow(design, runs),
      ratio: ratioOf(distance),
      noise: ratioOf(upperEdge(chances, expected)),
      z: variance === 0 ? 0 : (seen - expected) / Math.sqrt(variance),
      p: beyond(distance),
      reachable: beyond(furthest),
    },
    design,
    values,
  };
}

/** The chance of each number of dead runs among `candidate` drawn from `total`, of which `dead` are: each from the one before. */
function hypergeometric(total: number, dead: number, candidate: number): number[] {
  const chances = new Array<number>(Math.min(dead, candidate) + 1).fill(0);
  const least = Math.max(0, candidate - (total - dead));
  let [weight, sum] = [1, 0];
  for (let count = least; count < chances.length; count++) {
    chances[count] = weight;
    sum += weight;
    weight *= ((dead - count) * (candidate - count)) / ((count + 1) * (total - dead - candidate + count + 1));
    if (sum < LARGE) continue;
    for (let before = least; before <= count; before++) chances[before]! /= sum;
    [weight, sum] = [weight / sum, 1];
  }
  return chances.map((chance) => chance / sum);
}

function convolve(left: readonly number[], right: readonly number[]): number[] {
  const result = new Array<number>(left.length + right.length - 1).fill(0);
  for (const [i, a] of left.entries()) for (const [j, b] of right.entries()) result[i + j]! += a * b;
  return result;
}

/** The smallest distance that 95 % of the relabellings stay within. */
function upperEdge(chances: readonly number[], expected: number): number {
  const byDistance = chances
    .map((chance, count) => ({ chance, away: Math.abs(count - expected) }))
    .filter(({ chance }) => chance > 0)
    .sort((one, other) => one.away - other.away);
  let sum = 0;
  for (const { chance, away } of byDistance) {
    sum += chance;
    if (sum >= 0.95 - 1e-9) return away;
  }
  return 0;
}

function shareOf(design: Design, values: Float64Array, side: 0 | 1): EndedShare {
  let [runs, of] = [0, 0];
  for (let place = 0; place < values.length; place++) {
    if (design.observed[place] !== side) continue;
    of++;
    runs += values[place]!;
  }
  return { runs, of };
}

function countHow(design: Design, runs: readonly EndedRun[]): Partial<Record<Ending, number>> {
  const how: Partial<Record<Ending, number>> = {};
  for (const [place, position] of design.order.entries()) {
    const { ended } = runs[position]!;
    if (ended !== undefined && design.observed[place] === 1) how[ended] = (how[ended] ?? 0) + 1;
  }
  return how;
}

function sumOf(chances: readonly number[]): number {
  return chances.reduce((sum, chance) => sum + chance, 0);
}
