import { describe, expect, it } from "vitest";
import { shownSteps, stepDifference } from "./shown-steps.ts";

/** `m` is a model call, everything else a tool. */
const path = (text: string) => text.split(" ").map((step) => (step === "m" ? "LLM_CALL:m" : `TOOL_CALL:${step}`));

describe("the steps two behaviours are laid side by side with", () => {
  it.each([
    { known: "m read m write m", now: "m read m drop m", shown: ["read write reply", "read drop reply"] },
    { known: "m read m write m", now: "m read m m write m", shown: ["m read m write m", "m read m m write m"] },
    { known: "m read m write m", now: "m m read m drop m", shown: ["m read m write m", "m m read m drop m"] },
    { known: "m read m write m", now: "m read write m", shown: ["m read m write m", "m read write m"] },
  ])("$known and $now", ({ known, now, shown }) => {
    expect(shownSteps(path(known), path(now)).map((steps) => steps.join(" "))).toEqual(shown);
  });
});

describe("how the same set of steps differs", () => {
  it.each([
    { known: "m a m b m", now: "m b m a m", expected: "order" },
    { known: "m a m b m", now: "m a m m b m", expected: "more_steps" },
    { known: "m a m a m", now: "m a m", expected: "fewer_steps" },
    { known: "m a m a b", now: "m a m b b", expected: "other_counts" },
  ])("$now against $known is $expected", ({ known, now, expected }) => {
    expect(stepDifference(path(known), path(now))).toBe(expected);
  });
});
