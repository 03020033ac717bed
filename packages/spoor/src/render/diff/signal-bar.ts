/** Where a signal's point and interval stand on the one scale of all bars: 0 is no change, -1 and 1 are where severe begins. */
import type { AxisRow } from "@spoor/core/diff/axis";
import type { StructureSignal } from "@spoor/core/diff/structure";

export interface SignalBar {
  readonly point: number;
  readonly low: number;
  readonly high: number;
}

/** The share of differing turns above which structure is severe. */
export const STRUCTURE_SEVERE = 0.2;

export const barOf = {
  /** Without any sighting the interval says nothing about a shift. */
  structure({ changed, share, interval }: StructureSignal): SignalBar {
    if (changed === 0) return { point: 0, low: 0, high: 0 };
    return {
      point: share / STRUCTURE_SEVERE,
      low: interval.low / STRUCTURE_SEVERE,
      high: interval.high / STRUCTURE_SEVERE,
    };
  },
  axis(row: AxisRow): SignalBar {
    const step = severeStep(row);
    return { point: row.delta / step, low: row.ci95Low / step, high: row.ci95High / step };
  },
};

/** The shift at which an axis is severe: relative for medians, absolute for rates, ten floors from a baseline of 0. */
export function severeStep(row: AxisRow): number {
  if (row.axis === "trajectory" || row.axis === "safety" || row.axis === "conformance") return 0.15;
  const relative = 0.3 * Math.abs(row.baselineMedian);
  return relative > 1e-9 ? relative : (ZERO_BASELINE[row.axis] ?? 1);
}

const ZERO_BASELINE: Partial<Record<AxisRow["axis"], number>> = {
  verbosity: 200,
  latency: 1000,
  cost: 0.001,
  reasoning: 500,
};
