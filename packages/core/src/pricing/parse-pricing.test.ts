import { expect, it } from "vitest";
import { SpoorError } from "../errors.ts";
import { parsePricing } from "./parse-pricing.ts";

it("lists every problem of a file", () => {
  expect.assertions(2);
  try {
    parsePricing(
      { _note: "x", good: [1, 2], short: [1], odd: { input: 1 }, typo: { input: 1, output: 2, chached: 3 } },
      "p.json",
    );
  } catch (error) {
    expect((error as SpoorError).code).toBe("pricing.invalid");
    expect((error as SpoorError).problems.map((problem) => problem.at.path)).toEqual(["short", "odd", "typo.chached"]);
  }
});

it("refuses what is no object", () => {
  expect(() => parsePricing([1, 2])).toThrow(SpoorError);
});
