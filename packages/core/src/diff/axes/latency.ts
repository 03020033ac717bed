/**
 * Latency axis: how long the model took to answer, in milliseconds.
 *
 * Sees slower and faster replies. Blind to time spent in tools and between turns, to waiting that happens in fewer than half
 * of the turns, and to the load of the machine and provider at that hour: compare runs made side by side.
 */
import type { Axis } from "../axis.ts";
import { recordedNumbers } from "./recorded-number.ts";

export const latencyAxis: Axis = {
  name: "latency",
  grading: "value",
  statistic: "median",
  floor: 100,
  measure: (pairs) => recordedNumbers(pairs, (turn) => turn.durationMs),
};
