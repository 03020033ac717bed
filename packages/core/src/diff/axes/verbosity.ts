/**
 * Verbosity axis: how long the replies are, in output tokens as the provider counted them.
 *
 * Sees replies that grow or shrink. Blind to what the extra words say, and to turns whose tokens were not recorded.
 */
import type { Axis } from "../axis.ts";
import { EITHER_IS_CHANGE } from "../direction.ts";
import { recordedNumbers } from "./recorded-number.ts";

export const verbosityAxis = {
  name: "verbosity",
  unit: "tokens",
  grading: "value",
  statistic: "median",
  floor: 20,
  largeMove: 100,
  meaning: EITHER_IS_CHANGE,
  words: {
    is: "reply length",
    more: "Replies are{share} longer",
    less: "Replies are{share} shorter",
    noData: "output tokens were not recorded",
  },
  measure: (pairs) => recordedNumbers(pairs, (turn) => turn.usage?.outputTokens),
} as const satisfies Axis;
