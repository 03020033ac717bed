/** Where a signal's point and interval stand on the one scale of all bars: 0 is no change, -1 and 1 are where severe begins. */
import { type AxisRow, severeStep } from "@spoor/core/internal/diff/axis-row";
import { type StructureSignal, structureSteps } from "@spoor/core/internal/diff/structure";

export interface SignalBar {
  readonly point: number;
  readonly low: number;
  readonly high: number;
}

export const barOf = {
  /** Without any sighting the interval says nothing about a shift. */
  structure({ changed, share, interval }: StructureSignal): SignalBar {
    if (changed === 0) return { point: 0, low: 0, high: 0 };
    return {
      point: share / structureSteps.severe,
      low: interval.low / structureSteps.severe,
      high: interval.high / structureSteps.severe,
    };
  },
  axis(row: AxisRow): SignalBar {
    const step = severeStep(row);
    return { point: row.delta / step, low: row.ci95Low / step, high: row.ci95High / step };
  },
};
