/**
 * Stop as soon as the evidence suffices, and look as often as you like.
 *
 * Runs arrive in pairs (the j-th baseline and the j-th candidate run of a scenario). For each group, earlier pairs say in
 * which direction the sides differ; the next pair either agrees or not. If nothing changed that is a fair coin, and betting
 * a fixed fraction on "agrees" multiplies the wealth by 1 ± λ: a fair game, whose wealth reaches 1/α with chance at most α,
 * however long one plays (Ville's inequality; Ramdas et al., 2023, "Game-theoretic statistics and safe anytime-valid
 * inference"). It can only ever find a change: absence of wealth proves nothing. Cost: linear in the pair's features.
 */
import type { Group } from "./features.ts";
import type { Column, Observation } from "./observe.ts";

/** Groups that bet. `order` and `args` do not: there, absence is not zero. */
export const sequentialGroups = [
  "tools",
  "effects",
  "effort",
  "outcome",
  "text",
  "style",
] as const satisfies readonly Group[];

const FRACTIONS = [0.15, 0.35, 0.6] as const;
const PAIRS_WITHOUT_BET = 2;
const NO_OPINION = 1e-12;

/** Candidate minus baseline, by feature; features that do not differ may be left out. One entry per group. */
export type PairDifference = readonly ReadonlyMap<number, number>[];

export interface SequentialTest {
  readonly pairs: number;
  readonly wealth: number;
  /** The number of pairs after which the wealth first reached 1/α. */
  readonly stoppedAfter: number | undefined;
  /** Per group, in the order of the differences. */
  readonly groupWealth: readonly number[];
  /** Takes in a pair and returns the wealth. */
  add(difference: PairDifference): number;
}

export function createSequentialTest(groupCount: number, alpha: number): SequentialTest {
  return new BettingTest(groupCount, alpha);
}

/** Stands for "ended without an answer" among the features of `outcome`: no column of the observer's. */
const NO_ANSWER_FEATURE = -1;

/**
 * The difference of two observed runs for `createSequentialTest(sequentialGroups.length, …)`. A run without any response shows no
 * tools and no words, so of its pair only that counts: one of the two did not answer.
 */
export function pairDifference(
  baseline: Observation,
  candidate: Observation,
  columns: readonly Column[],
): PairDifference {
  const differences = sequentialGroups.map(() => new Map<number, number>());
  const add = (run: Observation, sign: number) => {
    for (let index = 0; index < run.columns.length; index++) {
      const column = run.columns[index]!;
      const group = (sequentialGroups as readonly Group[]).indexOf(columns[column]!.group);
      if (group < 0) continue;
      const difference = differences[group]!;
      difference.set(column, (difference.get(column) ?? 0) + sign * run.values[index]!);
    }
  };
  if (baseline.turns > 0 && candidate.turns > 0) {
    add(candidate, 1);
    add(baseline, -1);
  }
  const died = Number(candidate.ended !== undefined) - Number(baseline.ended !== undefined);
  if (died !== 0) differences[sequentialGroups.indexOf("outcome")]!.set(NO_ANSWER_FEATURE, died);
  return differences;
}

class BettingTest implements SequentialTest {
  pairs = 0;
  wealth = 1;
  stoppedAfter: number | undefined;
  private readonly alpha: number;
  private readonly bettors: GroupBettor[];

  constructor(groupCount: number, alpha: number) {
    this.alpha = alpha;
    this.bettors = Array.from({ length: groupCount }, () => new GroupBettor());
  }

  get groupWealth(): readonly number[] {
    return this.bettors.map((bettor) => bettor.wealth);
  }

  add(difference: PairDifference): number {
    for (const [group, bettor] of this.bettors.entries())
      bettor.add(difference[group]!, this.pairs >= PAIRS_WITHOUT_BET);
    this.pairs++;
    this.wealth = this.bettors.reduce((sum, bettor) => sum + bettor.wealth, 0) / this.bettors.length;
    if (this.stoppedAfter === undefined && this.wealth >= 1 / this.alpha) this.stoppedAfter = this.pairs;
    return this.wealth;
  }
}

class GroupBettor {
  private readonly sums = new Map<number, number>();
  private readonly squares = new Map<number, number>();
  private readonly stakes = FRACTIONS.map(() => 1);

  get wealth(): number {
    return this.stakes.reduce((sum, stake) => sum + stake, 0) / this.stakes.length;
  }

  add(difference: ReadonlyMap<number, number>, bets: boolean): void {
    if (bets) this.bet(difference);
    for (const [feature, value] of difference) {
      if (value === 0) continue;
      this.sums.set(feature, (this.sums.get(feature) ?? 0) + value);
      this.squares.set(feature, (this.squares.get(feature) ?? 0) + value * value);
    }
  }

  private bet(difference: ReadonlyMap<number, number>): void {
    let agreement = 0;
    for (const [feature, value] of difference) {
      const squares = this.squares.get(feature);
      if (squares !== undefined && squares > 0) agreement += (value * this.sums.get(feature)!) / squares;
    }
    if (Math.abs(agreement) <= NO_OPINION) return;
    for (const [index, fraction] of FRACTIONS.entries()) this.stakes[index]! *= 1 + fraction * Math.sign(agreement);
  }
}
