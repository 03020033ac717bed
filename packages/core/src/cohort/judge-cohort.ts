/** The answer without its description: test, intervals and verdict. What a report, a plan and a calibration all need. */
import { clopperPearson } from "../stats/clopper-pearson.ts";
import type { Design } from "./design.ts";
import { type Endings, type EndingsTest, testEndings } from "./endings.ts";
import { type Interval, type IntervalOptions, type Intervals, simultaneousIntervals } from "./intervals.ts";
import { type CohortTest, type Observed, type TestOptions, testCohort } from "./test-cohort.ts";
import { type CohortVerdict, decideVerdict, type Reason } from "./verdict.ts";
import { intervalColumns, watchedColumns } from "./watched-columns.ts";

export interface JudgeOptions extends TestOptions, Partial<IntervalOptions> {}

export interface Judgement {
  readonly test: CohortTest;
  /** Undefined when every run ended with an answer, or nobody asked. */
  readonly endings: Endings | undefined;
  /** How many families of signals share the error rate: 2 when endings are tested too. */
  readonly looks: number;
  /** Global p and the smallest one possible, over all families. */
  readonly p: number;
  readonly reachable: number;
  /** Undefined with fewer than two scenarios. */
  readonly intervals: Intervals | undefined;
  readonly verdict: CohortVerdict;
  readonly reasons: readonly Reason[];
}

export const judgeDefaults = { alpha: 0.05, toleranceRate: 0.2, toleranceSize: 1.25 } as const;

export function judgeCohort(design: Design, observed: Observed, given: JudgeOptions = {}): Judgement {
  const options = { ...judgeDefaults, ...given };
  const watched = watchedColumns(design, observed);
  const test = testCohort(
    design,
    observed,
    options,
    watched.map(({ column }) => column),
  );
  const ended = options.aspects?.includes("outcome") === false ? undefined : testEndings(observed.runs);
  // Runs without an answer cannot be relabelled together with those that have one, so they are a test of their own
  // (Bonferroni); without any, nothing is paid for it.
  const looks = ended === undefined ? 1 : 2;
  const together = (family: number, other: number | undefined) =>
    ended === undefined ? family : Math.min(1, looks * Math.min(family, other ?? 1));
  const p = together(test.family.p, ended?.endings.p);
  const reachable = together(test.family.reachable, ended?.endings.reachable);
  const answered = simultaneousIntervals(design, intervalColumns(design, observed, watched), test.watchedZ, options);
  const intervals = withEndings(answered, ended, options);
  return {
    test,
    endings: ended?.endings,
    looks,
    p,
    reachable,
    intervals,
    ...decideVerdict({ design, p, reachable, alpha: options.alpha, intervals }),
  };
}

/** The share of runs without an answer is promised about like every other rate. */
function withEndings(
  intervals: Intervals | undefined,
  ended: EndingsTest | undefined,
  options: IntervalOptions,
): Intervals | undefined {
  // Without intervals of what the runs do there is no promise to add to.
  if (intervals === undefined || ended === undefined) return intervals;
  const column = { item: NO_ANSWER, kind: "rate" as const, values: ended.values };
  const own = simultaneousIntervals(ended.design, [column], Float64Array.of(intervals.critical), options);
  return own === undefined
    ? intervals
    : { ...intervals, items: [...intervals.items, ...own.items.map((item) => widened(item, ended.endings))] };
}

/**
 * Deaths are few, and with few a standard error is too bold. So the interval also holds what the exact limits of the two shares allow (Newcombe 1998, with Clopper and Pearson's limits).
 * It also decides: an agent that dies in 4 of 40 runs is not called unchanged by a test that is a little generous with rates.
 */
function widened(item: Interval, { baseline, candidate }: Endings): Interval {
  const [before, now] = [clopperPearson(baseline.runs, baseline.of), clopperPearson(candidate.runs, candidate.of)];
  const [was, is] = [baseline.runs / baseline.of, candidate.runs / candidate.of];
  const low = Math.min(item.low, is - was - Math.hypot(is - now.low, before.high - was));
  const high = Math.max(item.high, is - was + Math.hypot(now.high - is, was - before.low));
  return { ...item, low, high, inside: item.inside && low >= -item.tolerance && high <= item.tolerance };
}

/** The rate's name among items and intervals. */
export const NO_ANSWER = "ended:no_answer";
