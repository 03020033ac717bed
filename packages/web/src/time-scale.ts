/**
 * Where things stand on a run's axis, as shares of its width. With a clock it is time; long waits are drawn short where they would leave no
 * room for what happened. Without one it is the order of the rows.
 */
import type { RunView } from "@spoor/core/internal/report/run-view";

export interface TimeScale {
  readonly unit: "time" | "order";
  /** In percent of the width, for milliseconds since the beginning. */
  at(ms: number): number;
  /** What stands at a share of the width. */
  timeAt(percent: number): number;
  /** How many waits are drawn shorter than they were. */
  readonly shortened: number;
}

/** A wait longer than this share of all that was done is drawn as long as that. */
const LONGEST_WAIT = 0.08;

export function createTimeScale({ axis, waits }: RunView): TimeScale {
  if (axis.unit === "order") return { unit: "order", at: () => 0, timeAt: () => 0, shortened: 0 };
  const waiting = waits.reduce((sum, { ms }) => sum + ms, 0);
  const busy = axis.spanMs - waiting;
  const longest = waiting > busy && busy > 0 ? busy * LONGEST_WAIT : Number.POSITIVE_INFINITY;
  const cuts = waits.filter(({ ms }) => ms > longest);
  // Pieces of time with the place at which each begins.
  const points: { time: number; drawn: number }[] = [{ time: 0, drawn: 0 }];
  for (const { start, ms } of cuts) {
    const last = points.at(-1)!;
    const drawn = last.drawn + (start - last.time);
    points.push({ time: start, drawn }, { time: start + ms, drawn: drawn + longest });
  }
  const last = points.at(-1)!;
  const width = last.drawn + (axis.spanMs - last.time) || 1;
  points.push({ time: axis.spanMs, drawn: width });
  const between = (value: number, from: "time" | "drawn", to: "time" | "drawn") => {
    let low = 0;
    let high = points.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (points[middle]![from] <= value) low = middle;
      else high = middle - 1;
    }
    const begin = points[low]!;
    const end = points[low + 1]!;
    const share = end[from] === begin[from] ? 0 : (value - begin[from]) / (end[from] - begin[from]);
    return begin[to] + Math.min(1, Math.max(0, share)) * (end[to] - begin[to]);
  };
  return {
    unit: "time",
    at: (ms) => (between(ms, "time", "drawn") / width) * 100,
    timeAt: (percent) => between((percent / 100) * width, "drawn", "time"),
    shortened: cuts.length,
  };
}
