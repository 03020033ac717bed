/**
 * What the repeated runs of a case say: steady, flaky or broken, and whether that is a change against a stored run.
 * Small samples say what they cannot show: the verdict carries how far the case would have to fall to be provable.
 */
import { clopperPearson, type ShareInterval } from "../stats/clopper-pearson.ts";
import { correctDiscrete } from "../stats/discrete-family.ts";
import { fisherExact } from "../stats/fisher-exact.ts";

export interface RunCount {
  readonly passed: number;
  readonly runs: number;
}

/**
 * steady: every run passes. flaky: some pass, enough of them. below-line: some pass, too few. broken: none passes. worse: some
 * pass, significantly fewer than in the stored run. failed: the only run failed, which cannot tell broken from flaky.
 * not-run: there is no run to read. not-judged: outages took the runs that would have decided.
 */
export type CaseReadingKind =
  | "steady"
  | "flaky"
  | "below_line"
  | "worse"
  | "broken"
  | "failed"
  | "not_run"
  | "not_judged";

export interface CaseReading {
  readonly kind: CaseReadingKind;
  /** Whether the case fails: broken, worse, failed or below the line. */
  readonly fails: boolean;
  /** How many of the runs must pass. */
  readonly line: number;
  /** Shares of passing runs that are plausible (exact, 95 %); absent without a run. */
  readonly interval?: ShareInterval;
  readonly comparison?: CaseComparison;
}

export interface CaseComparison {
  readonly stored: RunCount;
  /** How often chance alone makes a difference at least this large (Fisher's exact test, two-sided). */
  readonly chance: number;
  /** How often chance alone does so in any of the cases that are compared: the chance corrected for their number. */
  readonly corrected: number;
  readonly change: "worse" | "better" | "none";
  /** At most this many passing runs would prove a fall; absent when no number of them would. */
  readonly provableAt?: number;
  /** Runs on each side that could tell, if both shares stay as they are; absent when there is nothing to tell. */
  readonly runsNeeded?: number;
}

/** Chance below this counts as a change. */
export const SIGNIFICANCE = 0.05;

/** One of many comparisons. */
export interface InFamily {
  readonly corrected: number;
  /** How many of them could show a change at all. */
  readonly size: number;
}

export interface ReadCaseOptions {
  /** The share of runs that must pass. */
  readonly passRate: number;
  readonly stored?: RunCount | undefined;
  /** The case's place among all that are compared; absent: it is the only one. */
  readonly family?: InFamily | undefined;
  /** Runs that were made and say nothing about the agent; `now` does not count them. */
  readonly outages?: number;
  /** Judge by the runs there are; otherwise a verdict must be the same whatever the lost runs had said. */
  readonly leaveOutagesOut?: boolean;
}

export function readCase(now: RunCount, options: ReadCaseOptions): CaseReading {
  const { passRate, stored, outages = 0 } = options;
  const lost = options.leaveOutagesOut === true ? 0 : outages;
  const line = Math.ceil(passRate * (now.runs + lost) - 1e-9);
  if (now.runs === 0) return { kind: outages > 0 ? "not_judged" : "not_run", fails: false, line };
  const comparison =
    stored === undefined || stored.runs === 0 ? undefined : compare(now, stored, now.passed < line, options.family);
  const isOpen = now.passed < line && now.passed + lost >= line && comparison?.change !== "worse";
  const kind = isOpen ? "not_judged" : kindOf(now, line, comparison);
  return {
    kind,
    fails: kind === "broken" || kind === "worse" || kind === "failed" || kind === "below_line",
    line,
    interval: clopperPearson(now.passed, now.runs),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

function kindOf(now: RunCount, line: number, comparison: CaseComparison | undefined): CaseReadingKind {
  if (now.passed === 0) return now.runs === 1 ? "failed" : "broken";
  if (comparison?.change === "worse") return "worse";
  if (now.passed < line) return "below_line";
  return now.passed === now.runs ? "steady" : "flaky";
}

function compare(now: RunCount, stored: RunCount, isBelowLine: boolean, family: InFamily | undefined): CaseComparison {
  const chance = chanceOf(now, stored);
  const corrected = family?.corrected ?? chance;
  // With others beside it a single case must clear this line before any.
  const line = SIGNIFICANCE / Math.max(1, family?.size ?? 1);
  const difference = now.passed / now.runs - stored.passed / stored.runs;
  const change = corrected > SIGNIFICANCE || difference === 0 ? "none" : difference < 0 ? "worse" : "better";
  const provableAt = largestProvableFall(now.runs, stored, line);
  // A long search, made for those that somebody has to look at.
  const isOpen = change === "none" && difference < 0 && isBelowLine;
  const runsNeeded = isOpen ? runsNeededFor(now, stored, line) : undefined;
  return {
    stored,
    chance,
    corrected,
    change,
    ...(provableAt === undefined ? {} : { provableAt }),
    ...(runsNeeded === undefined ? {} : { runsNeeded }),
  };
}

/** The cases that are compared as one family, so that many of them do not make a false alarm likely; undefined where one is not compared. */
export function familyOf(
  pairs: readonly (readonly [now: RunCount, stored: RunCount] | undefined)[],
): (InFamily | undefined)[] {
  const tested = pairs.filter((pair) => pair !== undefined && pair[0].runs > 0 && pair[1].runs > 0);
  const { corrected, size } = correctDiscrete(
    tested.map((pair) => ({ p: chanceOf(...pair!), reachable: reachableChance(...pair!) })),
    SIGNIFICANCE,
  );
  const places = new Map(tested.map((pair, index) => [pair, index]));
  return pairs.map((pair) => {
    const index = places.get(pair);
    return index === undefined ? undefined : { corrected: corrected[index]!, size };
  });
}

/** The smallest chance that as many passes in all could have given: all of them on one side. */
function reachableChance(left: RunCount, right: RunCount): number {
  const passed = left.passed + right.passed;
  const least = Math.max(0, passed - right.runs);
  const most = Math.min(passed, left.runs);
  return Math.min(
    ...[least, most].map((hits) =>
      chanceOf({ passed: hits, runs: left.runs }, { passed: passed - hits, runs: right.runs }),
    ),
  );
}

/** Suites have thousands of cases and few different counts. */
const chances = new Map<string, number>();
const MOST_CHANCES = 10_000;

function chanceOf(left: RunCount, right: RunCount): number {
  const key = `${left.passed}/${left.runs} ${right.passed}/${right.runs}`;
  const known = chances.get(key);
  if (known !== undefined) return known;
  const chance = fisherExact({
    leftHits: left.passed,
    leftMisses: left.runs - left.passed,
    rightHits: right.passed,
    rightMisses: right.runs - right.passed,
  }).twoSided;
  if (chances.size < MOST_CHANCES) chances.set(key, chance);
  return chance;
}

/** The power of the comparison, in the user's own unit: how low `runs` runs would have to fall to prove a change. */
export function largestProvableFall(runs: number, stored: RunCount, line = SIGNIFICANCE): number | undefined {
  for (let passed = runs; passed >= 0; passed--) {
    const isLower = passed / runs < stored.passed / stored.runs;
    if (isLower && chanceOf({ passed, runs }, stored) <= line) return passed;
  }
  return undefined;
}

const MOST_RUNS = 1000;

/** The smallest number of runs on each side at which the two shares seen would differ significantly. */
export function runsNeededFor(now: RunCount, stored: RunCount, line = SIGNIFICANCE): number | undefined {
  for (let runs = 2; runs <= MOST_RUNS; runs++) {
    const left = { passed: Math.round((now.passed / now.runs) * runs), runs };
    const right = { passed: Math.round((stored.passed / stored.runs) * runs), runs };
    if (left.passed < right.passed && chanceOf(left, right) <= line) return runs;
  }
  return undefined;
}
