/** Pairs → one row per axis: values, statistics, intervals, tests, grades. Axes of one size share their bootstrap draws. */
import type { Severity } from "../judgement/severity.ts";
import { type BootstrapInterval, bootstrapIntervals, type PairedSeries } from "../stats/bootstrap.ts";
import { holm } from "../stats/holm.ts";
import { mean } from "../stats/mean.ts";
import { median } from "../stats/median.ts";
import { SMALL_SAMPLE } from "../stats/power.ts";
import type { Seed } from "../stats/random.ts";
import { signTest } from "../stats/sign-test.ts";
import { type AxisName, axes, type NamedAxis } from "./axes.ts";
import type { Axis, AxisContext, AxisFlag, AxisValues, ResponsePair } from "./axis.ts";
import { type AxisRow, hasNoData } from "./axis-row.ts";
import { directionOf } from "./direction.ts";
import { crossesZero, gradeFromZero, gradeShift, isZero, type Shift } from "./severity.ts";
import type { TurnFacts } from "./turn-facts.ts";

export interface RowOptions {
  readonly seed: Seed;
  readonly floors?: Readonly<Partial<Record<AxisName, number>>>;
  /** Axes that are told and never judged: they neither lead nor trip a gate. */
  readonly toldOnly?: readonly AxisName[];
  /** The trace each pair belongs to, numbered from 0; given when there are several. */
  readonly traceOf?: ArrayLike<number>;
  /** Turns without a partner; given where turns are paired along the alignment. */
  readonly alone?: readonly LoneTurn[];
}

export interface LoneTurn {
  readonly turn: TurnFacts;
  /** The number of its trace, as in `traceOf`. */
  readonly trace: number;
}

export interface Rows {
  readonly rows: readonly AxisRow[];
  /** Each axis's values pair by pair, in the order of `rows`; NaN where a side has none. */
  readonly values: readonly AxisValues[];
}

export function buildRows(pairs: readonly ResponsePair[], context: AxisContext, options: RowOptions): Rows {
  const values = axes.map((axis: Axis) => {
    if (context.blind && axis.readsText) return withoutNumbers(pairs.length, "not_recorded");
    if (context.replayed && axis.readsClock) return withoutNumbers(pairs.length, "replayed");
    return axis.measure(pairs, context);
  });
  const series = axes.map((axis, index) => countedSeries(axis, values[index]!, options.alone));
  const intervals = bootstrapIntervals(series, { seed: options.seed });
  const byTrace =
    options.traceOf === undefined ? undefined : traceIntervals(series, intervals, values, options.traceOf, options);
  const drafts = axes.map((axis, index) =>
    draftRow(axis, series[index]!, values[index]!, { own: intervals[index]!, traces: byTrace?.[index] }, options),
  );
  return { rows: correct(drafts), values };
}

function withoutNumbers(pairs: number, why: AxisFlag): AxisValues {
  const nothing = new Float64Array(pairs).fill(Number.NaN);
  return { baseline: nothing, candidate: nothing, measured: 0, flags: [why] };
}

interface CountedSeries extends PairedSeries {
  /** Turns without a partner at the end of it; absent for an axis of pairs. */
  readonly alone?: readonly LoneTurn[];
}

/** The pairs in which both sides have the number, and the turns without a partner where the axis counts them. */
function countedSeries(
  axis: Axis,
  { baseline, candidate }: AxisValues,
  alone: readonly LoneTurn[] | undefined,
): CountedSeries {
  const isCounted = (index: number) => !Number.isNaN(baseline[index]!) && !Number.isNaN(candidate[index]!);
  const pairs = {
    baseline: baseline.filter((_, index) => isCounted(index)),
    candidate: candidate.filter((_, index) => isCounted(index)),
  };
  const { everyTurn } = axis;
  if (everyTurn === undefined || alone === undefined) return { ...pairs, statistic: axis.statistic };
  return {
    baseline: Float64Array.from([...pairs.baseline, ...alone.map(() => 0)]),
    candidate: Float64Array.from([...pairs.candidate, ...alone.map(({ turn }) => everyTurn.alone(turn))]),
    statistic: everyTurn.statistic,
    alone,
  };
}

function draftRow(
  axis: NamedAxis,
  series: CountedSeries,
  values: AxisValues,
  intervals: { readonly own: BootstrapInterval; readonly traces: BootstrapInterval | undefined },
  options: RowOptions,
): AxisRow {
  const interval = intervals.own;
  const n = series.baseline.length;
  const statistic = series.statistic === "median" ? median : mean;
  const baseline = statistic(series.baseline);
  const candidate = statistic(series.candidate);
  const shift = { baseline, delta: candidate - baseline, low: interval.low, high: interval.high };
  const severity = gradeShift(axis.grading, shift);
  const measured = values.measured ?? n;
  const toldOnly = options.toldOnly?.includes(axis.name) === true;
  const flags = [...flagsOf(axis, n, interval, values), ...(toldOnly ? (["told_only"] as const) : [])];
  const floor = options.floors?.[axis.name] ?? axis.floor;
  const sign = signTest(series.baseline, series.candidate);
  return {
    axis: axis.name,
    statistic: series.statistic,
    baseline,
    candidate,
    delta: shift.delta,
    ci95Low: interval.low,
    ci95High: interval.high,
    ...(intervals.traces === undefined || n === 0 ? {} : { traceCi95: intervals.traces }),
    severity,
    gateSeverity: toldOnly || hasNoData({ measured, flags }) ? "none" : gateSeverity(severity, shift, floor),
    direction: directionOf(
      axis.meaning,
      shift.delta,
      severity,
      Object.values(intervals).filter((one) => one !== undefined),
    ),
    n,
    ...(series.alone === undefined ? {} : { alone: series.alone.length }),
    measured,
    flags,
    ...(values.unanswered === undefined ? {} : { unanswered: values.unanswered }),
    sign: { ...sign, correctedPValue: sign.pValue },
  };
}

function gateSeverity(severity: Severity, shift: Shift, floor: number | undefined): Severity {
  return severity === "none" || floor === undefined || !isZero(shift.baseline) ? severity : gradeFromZero(shift, floor);
}

function flagsOf(axis: Axis, n: number, interval: BootstrapInterval, values: AxisValues): AxisFlag[] {
  const flags: AxisFlag[] = [];
  if (n > 0 && n < SMALL_SAMPLE) flags.push("low_power");
  if (crossesZero(axis.grading, interval)) flags.push("ci_crosses_zero");
  return [...flags, ...(values.flags ?? [])];
}

/** Holm correction over the rows that have data: the others asked no question. */
function correct(rows: readonly AxisRow[]): AxisRow[] {
  const asked = rows.filter((row) => row.measured > 0);
  const corrected = holm(asked.map((row) => row.sign.pValue));
  return rows.map((row) => {
    const at = asked.indexOf(row);
    return at < 0 ? row : { ...row, sign: { ...row.sign, correctedPValue: corrected[at]! } };
  });
}

/** Whole traces are drawn: turns of one conversation are not independent of each other. Axes that count the same pairs share draws. */
function traceIntervals(
  series: readonly CountedSeries[],
  byPair: readonly BootstrapInterval[],
  values: readonly AxisValues[],
  traceOf: ArrayLike<number>,
  { seed }: RowOptions,
): BootstrapInterval[] {
  const intervals = new Array<BootstrapInterval>(series.length);
  // With one turn a trace, drawing traces is drawing turns.
  const isSingle = (traces: ArrayLike<number>) => new Set(Array.from(traces)).size === traces.length;
  const singlePairs = isSingle(traceOf);
  const complete = series.flatMap((one, index) =>
    one.alone === undefined && one.baseline.length === traceOf.length ? [index] : [],
  );
  const shared = singlePairs
    ? complete.map((index) => byPair[index]!)
    : bootstrapIntervals(
        complete.map((index) => series[index]!),
        { seed, clusters: numberClusters(traceOf, () => true) },
      );
  complete.forEach((index, at) => {
    intervals[index] = shared[at]!;
  });
  for (const [index, one] of series.entries()) {
    if (intervals[index] !== undefined) continue;
    const { baseline, candidate } = values[index]!;
    const isCounted = (pair: number) => pair >= traceOf.length || !Number.isNaN(baseline[pair]! + candidate[pair]!);
    const traces = [...Array.from(traceOf), ...(one.alone ?? []).map(({ trace }) => trace)];
    intervals[index] = isSingle(traces)
      ? byPair[index]!
      : bootstrapIntervals([one], { seed, clusters: numberClusters(traces, isCounted) })[0]!;
  }
  return intervals;
}

/** Traces that have a counted pair, numbered from 0 without holes. */
function numberClusters(traceOf: ArrayLike<number>, isCounted: (pair: number) => boolean): number[] {
  const numberOf = new Map<number, number>();
  const clusters: number[] = [];
  for (let pair = 0; pair < traceOf.length; pair++) {
    if (!isCounted(pair)) continue;
    const trace = traceOf[pair]!;
    let number = numberOf.get(trace);
    if (number === undefined) {
      number = numberOf.size;
      numberOf.set(trace, number);
    }
    clusters.push(number);
  }
  return clusters;
}
