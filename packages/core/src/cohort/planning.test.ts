import { describe, expect, it } from "vitest";
import { interval } from "../../test/cohort.ts";
import type { Interval } from "./intervals.ts";
import { occurrencesNeeded, runsForMean, runsForNewTool, runsNeeded } from "./planning.ts";

it.each([
  [0.05, 134],
  [0.1, 66],
  [0.2, 33],
  [0.5, 12],
  [1, 5],
])("a new tool in a share of %d of the runs needs %i runs a side", (share, runs) => {
  expect(runsForNewTool(share)).toBe(runs);
});

it("needs five sightings at 5 %, since four all on one side have chance 1/16", () => {
  expect(occurrencesNeeded(0.05)).toBe(5);
  expect(occurrencesNeeded(0.0625)).toBe(4);
});

it("has no answer for a tool that is never called or a difference of nothing", () => {
  expect(runsForNewTool(0)).toBeUndefined();
  expect(runsForMean(1, 0)).toBeUndefined();
});

describe("runs needed after a verdict", () => {
  const size = (more: Partial<Interval>) => interval("calls", -1, 1, { kind: "size", ...more });
  const needed = (items: readonly Interval[], runs = 10) => runsNeeded({ critical: 2, items }, runs, runs, 0.05);

  it("is runs × (half-width / room)²", () => {
    // Half-width 0.3 by itself, room 0.2 − 0.05 = 0.15: four times as many.
    expect(needed([size({ difference: -0.05, alone: { low: -0.35, high: 0.2 } })])).toEqual({
      runsPerSide: 40,
      because: "calls",
    });
  });

  it("is the number that brings the floor of a rate down when nothing varied", () => {
    const floor = 1 - 0.05 ** (1 / 5);
    const nothing = interval("has:f", -1, 1, { alone: { low: -floor, high: floor } });
    expect(needed([nothing], 5)).toEqual({ runsPerSide: 14, because: "has:f" });
  });

  it("is not a number beyond ten times, nor when the estimate itself leaves the tolerance", () => {
    expect(needed([size({ alone: { low: -2, high: 2 } })])).toEqual({ runsPerSide: null, because: "calls" });
    expect(needed([size({ difference: 0.25 })])).toEqual({ runsPerSide: null, because: "calls" });
  });

  it("is nothing when every interval fits", () => {
    expect(needed([size({ inside: true })])).toBeUndefined();
  });
});
