/**
 * Verbosity axis: how long the replies are, in output tokens as the provider counted them.
 *
 * Sees replies that grow or shrink. Blind to what the extra words say, and to turns whose tokens were not recorded.
 */
import type { Axis } from "../axis.ts";
import { recordedNumbers } from "./recorded-number.ts";

export const verbosityAxis: Axis = {
  name: "verbosity",
  grading: "value",
  statistic: "median",
  floor: 20,
  measure: (pairs) => recordedNumbers(pairs, (turn) => turn.usage?.outputTokens),
};
