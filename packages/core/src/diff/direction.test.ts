import { expect, it } from "vitest";
import { directionOf, EITHER_IS_CHANGE, LESS_IS_WORSE, MORE_IS_WORSE, mayTrip } from "./direction.ts";

it.each([
  { name: "surely less", meaning: MORE_IS_WORSE, delta: -40, intervals: [{ low: -60, high: -20 }], is: "better" },
  { name: "less, or more", meaning: MORE_IS_WORSE, delta: -40, intervals: [{ low: -60, high: 5 }], is: "unclear" },
  { name: "less, or the same", meaning: MORE_IS_WORSE, delta: -40, intervals: [{ low: -60, high: 0 }], is: "unclear" },
  {
    name: "less by turns, not by traces",
    meaning: MORE_IS_WORSE,
    delta: -40,
    intervals: [
      { low: -60, high: -20 },
      { low: -90, high: 10 },
    ],
    is: "unclear",
  },
  {
    name: "a surely higher score",
    meaning: LESS_IS_WORSE,
    delta: 0.2,
    intervals: [{ low: 0.1, high: 0.3 }],
    is: "better",
  },
  { name: "more, or less", meaning: MORE_IS_WORSE, delta: 40, intervals: [{ low: -5, high: 60 }], is: "worse" },
  {
    name: "another meaning",
    meaning: EITHER_IS_CHANGE,
    delta: -0.2,
    intervals: [{ low: -0.3, high: 0.1 }],
    is: "changed",
  },
] as const)("$name is $is", ({ meaning, delta, intervals, is }) => {
  expect(directionOf(meaning, delta, "minor", intervals)).toBe(is);
  expect(directionOf(meaning, delta, "none", intervals)).toBe("same");
  expect(mayTrip(is)).toBe(is === "worse" || is === "changed");
});
