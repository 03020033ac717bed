/**
 * Latency axis: how long the model took to answer, in milliseconds.
 *
 * Sees slower and faster replies. Blind to time spent in tools and between turns, to waiting that happens in fewer than half
 * of the turns, and to the load of the machine and provider at that hour: compare runs made side by side.
 */
import type { Axis } from "../axis.ts";
import { MORE_IS_WORSE } from "../direction.ts";
import { recordedNumbers } from "./recorded-number.ts";

export const latencyAxis = {
  name: "latency",
  unit: "ms",
  grading: "value",
  statistic: "median",
  floor: 100,
  largeMove: 1000,
  meaning: MORE_IS_WORSE,
  readsClock: true,
  words: {
    is: "reply time",
    more: "Replies take{share} longer",
    less: "Replies take{share} less time",
    noData: "reply times were not recorded",
  },
  measure: (pairs) => recordedNumbers(pairs, (turn) => turn.durationMs),
} as const satisfies Axis;
