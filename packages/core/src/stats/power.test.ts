import { expect, it } from "vitest";
import { powerOf, unseenProbability } from "./power.ts";

it("power: what 15 pairs cannot see", () => {
  expect(unseenProbability(15, 0.1)).toBeCloseTo(0.2059, 4);
  expect(powerOf(3)).toMatchObject({
    tier: "low",
    recommendedSampleSize: 30,
    smallestPValue: expect.closeTo(0.25, 9),
  });
  expect(powerOf(100)).not.toHaveProperty("recommendedSampleSize");
});
