/**
 * What the repeated runs of a case say: steady, flaky or broken, and whether that is a change against a stored run.
 * Small samples say what they cannot show: the verdict carries how far the case would have to fall to be provable.
 */
import { clopperPearson, type ShareInterval } from "../stats/clopper-pearson.ts";
import { fisherExact } from "../stats/fisher-exact.ts";

export interface RunCount {
  readonly passed: number;
  readonly runs: number;
}

/**
 * steady: every run passes. flaky: some pass, enough of them. below-line: some pass, too few. broken: none passes, or
 * significantly fewer than in the stored run. failed: the only run failed, which cannot tell broken from flaky.
 * not-run: there is no run to read. not-judged: outages took the runs that would have decided.
 */
export type CaseReadingKind = "steady" | "flaky" | "below_line" | "broken" | "failed" | "not_run" | "not_judged";

export interface CaseReading {
  readonly kind: CaseReadingKind;
  /** Whether the case fails: broken, failed or below the line. */
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
  readonly change: "worse" | "better" | "none";
  /** At most this many passing runs would prove a fall; absent when no number of them would. */
  readonly provableAt?: number;
  /** Runs on each side that could tell, if both shares stay as they are; absent when there is nothing to tell. */
  readonly runsNeeded?: number;
}

/** Chance below this counts as a change. */
const SIGNIFICANCE = 0.05;

export interface ReadCaseOptions {
  /** The share of runs that must pass. */
  readonly passRate: number;
  readonly stored?: RunCount | undefined;
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
  const comparison = stored === undefined || stored.runs === 0 ? undefined : compare(now, stored);
  const isOpen = now.passed < line && now.passed + lost >= line && comparison?.change !== "worse";
  const kind = isOpen ? "not_judged" : kindOf(now, line, comparison);
  return {
    kind,
    fails: kind === "broken" || kind === "failed" || kind === "below_line",
    line,
    interval: clopperPearson(now.passed, now.runs),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

function kindOf(now: RunCount, line: number, comparison: CaseComparison | undefined): CaseReadingKind {
  if (comparison?.change === "worse") return "broken";
  if (now.passed === 0) return now.runs === 1 ? "failed" : "broken";
  if (now.passed < line) return "below_line";
  return now.passed === now.runs ? "steady" : "flaky";
}

function compare(now: RunCount, stored: RunCount): CaseComparison {
  const chance = chanceOf(now, stored);
  const difference = now.passed / now.runs - stored.passed / stored.runs;
  const change = chance > SIGNIFICANCE || difference === 0 ? "none" : difference < 0 ? "worse" : "better";
  const provableAt = largestProvableFall(now.runs, stored);
  const runsNeeded = change === "none" && difference < 0 ? runsNeededFor(now, stored) : undefined;
  return {
    stored,
    chance,
    change,
    ...(provableAt === undefined ? {} : { provableAt }),
    ...(runsNeeded === undefined ? {} : { runsNeeded }),
  };
}

function chanceOf(left: RunCount, right: RunCount): number {
  return fisherExact({
    leftHits: left.passed,
    leftMisses: left.runs - left.passed,
    rightHits: right.passed,
    rightMisses: right.runs - right.passed,
  }).twoSided;
}

/** The power of the comparison, in the user's own unit: how low `runs` runs would have to fall to prove a change. */
export function largestProvableFall(runs: number, stored: RunCount): number | undefined {
  for (let passed = runs; passed >= 0; passed--) {
    const isLower = passed / runs < stored.passed / stored.runs;
    if (isLower && chanceOf({ passed, runs }, stored) <= SIGNIFICANCE) return passed;
  }
  return undefined;
}

const MOST_RUNS = 1000;

/** The smallest number of runs on each side at which the two shares seen would differ significantly. */
export function runsNeededFor(now: RunCount, stored: RunCount): number | undefined {
  for (let runs = 2; runs <= MOST_RUNS; runs++) {
    const left = { passed: Math.round((now.passed / now.runs) * runs), runs };
    const right = { passed: Math.round((stored.passed / stored.runs) * runs), runs };
    if (left.passed < right.passed && chanceOf(left, right) <= SIGNIFICANCE) return runs;
  }
  return undefined;
}
