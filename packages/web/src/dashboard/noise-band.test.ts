import { expect, it } from "vitest";
import { noisePoints } from "./noise-band.ts";

const day = (from: number, hours: number, runs: number, known: number) =>
  Array.from({ length: hours }, (_, at) => ({ hour: from + at, runs, known }));

it("nothing recorded is no line", () => {
  expect(noisePoints([], 0, 336, undefined)).toEqual([]);
});

it("hours come together, and an even share stays inside the band", () => {
  const points = noisePoints(day(0, 24, 10, 9), 0, 24, undefined);
  expect(points.map(({ runs, share }) => [runs, share])).toEqual(Array(6).fill([40, 0.9]));
  for (const { units } of points) expect(Math.abs(units)).toBeLessThan(0.2);
});

it("a fall after the newest release is measured by what was usual before it", () => {
  const points = noisePoints([...day(0, 12, 10, 10), ...day(12, 12, 10, 5)], 0, 24, 12);
  expect(points.slice(0, 3).every(({ units }) => units > 0 && units < 1)).toBe(true);
  // 120 of 120 known before gives 120.5 of 121; 20 of 40 is (0.5 - 0.99587) / sqrt(0.99587 * 0.00413 / 40) units away.
  for (const { units } of points.slice(3)) expect(units).toBeCloseTo(-48.89, 1);
});

it("what is older than the window is left out", () => {
  expect(noisePoints(day(0, 24, 1, 1), 12, 24, undefined).map(({ at }) => at)).toEqual([0, 1 / 3, 2 / 3]);
});
