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
import { NO_ANSWER } from "./judge-cohort.ts";
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
export type PairDifference = readonly ReadonlyMap<string, number>[];

/** Everything a test knows, to be taken up again later: a group's stakes, and per feature the sum of its differences and of their squares. */
export interface SavedTest {
  readonly pairs: number;
  readonly stoppedAfter: number | null;
  readonly groups: Readonly<Record<string, SavedGroup>>;
}

export interface SavedGroup {
  readonly stakes: readonly number[];
  readonly sums: Readonly<Record<string, readonly [sum: number, squares: number]>>;
}

export interface SequentialTest {
  readonly pairs: number;
  readonly wealth: number;
  /** The number of pairs after which the wealth first reached 1/α. */
  readonly stoppedAfter: number | undefined;
  /** Per group, in the order of the differences. */
  readonly groupWealth: readonly number[];
  /** Takes in a pair and returns the wealth. */
  add(difference: PairDifference): number;
  /** For `createSequentialTest` to go on from; groups by these names. */
  save(names: readonly string[]): SavedTest;
}

/** `saved`: where an earlier test ended, with the names its groups were saved under. */
export function createSequentialTest(
  groupCount: number,
  alpha: number,
  saved?: { readonly test: SavedTest; readonly names: readonly string[] },
): SequentialTest {
  return new BettingTest(groupCount, alpha, saved);
}

/**
 * The difference of two observed runs for `createSequentialTest(sequentialGroups.length, …)`. A run without any response shows no
 * tools and no words, so of its pair only that counts: one of the two did not answer.
 */
export function pairDifference(
  baseline: Observation,
  candidate: Observation,
  columns: readonly Column[],
): PairDifference {
  const differences = sequentialGroups.map(() => new Map<string, number>());
  const add = (run: Observation, sign: number) => {
    for (let index = 0; index < run.columns.length; index++) {
      const column = run.columns[index]!;
      const { group, identity } = columns[column]!;
      const difference = differences[(sequentialGroups as readonly Group[]).indexOf(group)];
      difference?.set(identity, (difference.get(identity) ?? 0) + sign * run.values[index]!);
    }
  };
  if (baseline.turns > 0 && candidate.turns > 0) {
    add(candidate, 1);
    add(baseline, -1);
  }
  const died = Number(candidate.ended !== undefined) - Number(baseline.ended !== undefined);
  if (died !== 0) differences[sequentialGroups.indexOf("outcome")]!.set(NO_ANSWER, died);
  return differences;
}

class BettingTest implements SequentialTest {
  pairs = 0;
  wealth = 1;
  stoppedAfter: number | undefined;
  private readonly alpha: number;
  private readonly bettors: GroupBettor[];

  constructor(
    groupCount: number,
    alpha: number,
    saved: { readonly test: SavedTest; readonly names: readonly string[] } | undefined,
  ) {
    this.alpha = alpha;
    this.bettors = Array.from(
      { length: groupCount },
      (_, group) => new GroupBettor(saved?.test.groups[saved.names[group]!]),
    );
    if (saved === undefined) return;
    this.pairs = saved.test.pairs;
    this.stoppedAfter = saved.test.stoppedAfter ?? undefined;
    this.wealth = this.meanWealth();
  }

  get groupWealth(): readonly number[] {
    return this.bettors.map((bettor) => bettor.wealth);
  }

  add(difference: PairDifference): number {
    for (const [group, bettor] of this.bettors.entries())
      bettor.add(difference[group]!, this.pairs >= PAIRS_WITHOUT_BET);
    this.pairs++;
    this.wealth = this.meanWealth();
    if (this.stoppedAfter === undefined && this.wealth >= 1 / this.alpha) this.stoppedAfter = this.pairs;
    return this.wealth;
  }

  save(names: readonly string[]): SavedTest {
    return {
      pairs: this.pairs,
      stoppedAfter: this.stoppedAfter ?? null,
      groups: Object.fromEntries(this.bettors.map((bettor, group) => [names[group]!, bettor.save()])),
    };
  }

  private meanWealth(): number {
    return this.bettors.reduce((sum, bettor) => sum + bettor.wealth, 0) / this.bettors.length;
  }
}

class GroupBettor {
  private readonly sums = new Map<string, number>();
  private readonly squares = new Map<string, number>();
  private readonly stakes: number[];

  /** A group that was not saved begins with its first stake. */
  constructor(saved: SavedGroup | undefined) {
    this.stakes = FRACTIONS.map((_, index) => saved?.stakes[index] ?? 1);
    for (const [feature, [sum, squares]] of Object.entries(saved?.sums ?? {})) {
      this.sums.set(feature, sum);
      this.squares.set(feature, squares);
    }
  }

  save(): SavedGroup {
    const sums = [...this.sums].map(([feature, sum]) => [feature, [sum, this.squares.get(feature)!]] as const);
    return { stakes: [...this.stakes], sums: Object.fromEntries(sums) };
  }

  get wealth(): number {
    return this.stakes.reduce((sum, stake) => sum + stake, 0) / this.stakes.length;
  }

  add(difference: ReadonlyMap<string, number>, bets: boolean): void {
    if (bets) this.bet(difference);
    for (const [feature, value] of difference) {
      if (value === 0) continue;
      this.sums.set(feature, (this.sums.get(feature) ?? 0) + value);
      this.squares.set(feature, (this.squares.get(feature) ?? 0) + value * value);
    }
  }

  private bet(difference: ReadonlyMap<string, number>): void {
    let agreement = 0;
    for (const [feature, value] of difference) {
      const squares = this.squares.get(feature);
      if (squares !== undefined && squares > 0) agreement += (value * this.sums.get(feature)!) / squares;
    }
    if (Math.abs(agreement) <= NO_OPINION) return;
    for (const [index, fraction] of FRACTIONS.entries()) this.stakes[index]! *= 1 + fraction * Math.sign(agreement);
  }
}
