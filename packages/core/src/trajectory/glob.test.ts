import fc from "fast-check";
import { expect, it } from "vitest";
import { globMatcher } from "./glob.ts";

it.each([
  ["read*", "readFile", true],
  ["read*", "spread", false],
  ["*_refund", "issue_refund", true],
  ["?ead", "Read", true],
  ["?ead", "ead", false],
  ["*", "", true],
  ["a*b*c", "aXbYc", true],
  ["a*b*c", "aXcYb", false],
  ["a.c", "abc", false],
])("%s on %s: %s", (pattern, name, fits) => {
  expect(globMatcher(pattern)(name)).toBe(fits);
});

it("agrees with the regular expression of the same meaning", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 8 });
  const glob = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 });
  fc.assert(
    fc.property(glob, text, (pattern, name) => {
      const regex = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
      expect(globMatcher(pattern)(name)).toBe(regex.test(name));
    }),
  );
});

it("does not blow up on many stars", () => {
  expect(globMatcher(`${"a*".repeat(30)}b`)("a".repeat(200))).toBe(false);
});
