import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newcombeInterval, tangoInterval } from "./score-intervals.ts";

const Z = { 0.05: 1.6448536269514722, 0.025: 1.959963984540054 };

describe("Newcombe's interval of a difference", () => {
  // Newcombe (1998), table II, method 10.
  it.each([
    { second: [56, 70], first: [48, 80], low: 0.0524, high: 0.3339 },
    { second: [9, 10], first: [3, 10], low: 0.1705, high: 0.809 },
    { second: [5, 56], first: [0, 29], low: -0.0381, high: 0.1926 },
  ])("$second against $first", ({ second, first, low, high }) => {
    const share = ([hits, of]: readonly number[]) => ({ share: hits! / of!, of: of! });
    const interval = newcombeInterval(share(first), share(second), Z[0.025]);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

describe("Tango's interval of a difference in pairs", () => {
  // The nuisance share found by maximising the trinomial likelihood numerically, the limits by root finding (SciPy 1.17).
  it.each([
    { gained: 0, lost: 1, pairs: 44, z: Z[0.025], low: -0.118077, high: 0.059393 },
    { gained: 12, lost: 2, pairs: 50, z: Z[0.025], low: 0.061112, high: 0.344709 },
    { gained: 4, lost: 0, pairs: 40, z: Z[0.05], low: 0.030311, high: 0.204991 },
    { gained: 1, lost: 0, pairs: 14, z: Z[0.05], low: -0.102094, high: 0.265576 },
  ])("$gained gained, $lost lost of $pairs", ({ gained, lost, pairs, z, low, high }) => {
    const interval = tangoInterval(gained, lost, pairs, z);
    expect(interval.low).toBeCloseTo(low, 5);
    expect(interval.high).toBeCloseTo(high, 5);
  });

  it("holds what was seen, turns round with the sides and grows with z", () => {
    const counts = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(40)).filter(([a, b, c]) => a + b + c > 0);
    fc.assert(
      fc.property(counts, ([gained, lost, same]) => {
        const pairs = gained + lost + same;
        const { low, high } = tangoInterval(gained, lost, pairs, 1.6);
        const turned = tangoInterval(lost, gained, pairs, 1.6);
        const wider = tangoInterval(gained, lost, pairs, 2.4);
        const seen = (gained - lost) / pairs;
        expect(low).toBeLessThanOrEqual(seen);
        expect(high).toBeGreaterThanOrEqual(seen);
        expect(-turned.high).toBeCloseTo(low, 9);
        expect(wider.low).toBeLessThanOrEqual(low + 1e-12);
        expect(wider.high).toBeGreaterThanOrEqual(high - 1e-12);
      }),
    );
  });
});
