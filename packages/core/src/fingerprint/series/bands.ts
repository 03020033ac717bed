/**
 * The noise band beside a number. Without drift: where a point stays; a point outside it would be a spike that counts. With a
 * shift: where the mean of the later points would stay; it lies outside, by construction. With a spike: its point does.
 */
import type { JudgedSignal, SeriesAnswer } from "./answer.ts";
import { bandHalf, type Column } from "./contrasts.ts";
import type { PathNovelty } from "./path-novelty.ts";

export interface Band {
  readonly low: number;
  readonly high: number;
}

export function numberBand(
  { values, deviation }: Column,
  sizes: readonly number[],
  answer: SeriesAnswer,
  signals: readonly JudgedSignal[],
): (Band | null)[] {
  let start = 0;
  const recorded = sizes.map((size) => {
    const there = values.subarray(start, start + size).filter((value) => !Number.isNaN(value));
    start += size;
    return there;
  });
  const all = momentsOf(recorded);
  const line = criticalOf(signals, answer.state === "drift" && answer.form === "shift" ? "shift" : "spike");
  if (line === undefined || deviation === 0) return sizes.map(() => null);
  if (answer.state === "drift" && answer.form === "shift" && answer.point !== undefined) {
    const before = momentsOf(recorded.slice(0, answer.point));
    const after = all.count - before.count;
    const half = line * deviation * Math.sqrt(1 / before.count + 1 / after);
    return recorded.map((there) => (there.length === 0 ? null : around(before.mean, half)));
  }
  return recorded.map((there) =>
    there.length === 0 || there.length === all.count
      ? null
      : around(all.mean, bandHalf(deviation, line, there.length, all.count)),
  );
}

/** Of the share of known paths: too many new ones are drift, too few are not. A shift is about many points at once: no band. */
export function pathBand(
  { fresh }: PathNovelty,
  sizes: readonly number[],
  answer: SeriesAnswer,
  signals: readonly JudgedSignal[],
): (Band | null)[] {
  const line = criticalOf(signals, "spike");
  const shifted = answer.state === "drift" && answer.form === "shift" && signals.length > 1;
  return sizes.map((size, point) => {
    if (point === 0 || size === 0 || line === undefined || shifted) return null;
    const { mean, deviation } = fresh[point]!;
    return { low: Math.max(0, 1 - (mean + line * deviation) / size), high: 1 };
  });
}

/** What a signal must reach to count; where nothing counts, the most that any labelling shows. With two points a spike is a shift. */
function criticalOf(signals: readonly JudgedSignal[], form: "shift" | "spike"): number | undefined {
  const found = signals.find(({ signal }) => signal.form === form) ?? signals[0];
  if (found?.judged === undefined) return undefined;
  return found.judged.critical ?? found.signal.values.reduce((most, value) => Math.max(most, value));
}

function momentsOf(points: readonly Float64Array[]): { readonly count: number; readonly mean: number } {
  const count = points.reduce((sum, there) => sum + there.length, 0);
  const total = points.reduce((sum, there) => sum + there.reduce((part, value) => part + value, 0), 0);
  return { count, mean: total / count };
}

function around(mean: number, half: number): Band {
  return { low: mean - half, high: mean + half };
}
