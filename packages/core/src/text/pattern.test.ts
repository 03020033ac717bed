import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compilePattern, type Pattern } from "./pattern.ts";

const piece = fc.constantFrom("a", "b", "é", "\n", "x1", "-", "A", "\u{1F600}");
const source = fc
  .array(fc.constantFrom("a", "b", "[a-b]", ".", "a*", "(a|b)+", "^a", "b$", "\\b", "é", "[^a]", "x\\d?", "(?:ab)??"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(""));

it("whether a pattern is found somewhere and where it is found are one answer", () => {
  fc.assert(
    fc.property(source, fc.constantFrom("", "i", "m", "s"), fc.array(piece), (written, flags, pieces) => {
      const pattern = compilePattern(written, flags) as Pattern;
      const text = pieces.join("");
      expect(pattern.test(text)).toBe(pattern.find(text) !== undefined);
    }),
    { numRuns: 2000 },
  );
});

it("a text without the letters a pattern begins with is no match, and every other answer is that of the language", () => {
  const plain = fc.constantFrom(
    "a",
    "b",
    "ab",
    "ab?",
    "a-b*",
    "ab{0,1}",
    "a b",
    "ab+",
    "ab|x",
    "a(b|c)",
    "ab[0-9]",
    "",
  );
  fc.assert(
    fc.property(fc.tuple(plain, plain), fc.constantFrom("", "i"), fc.array(piece), ([first, then], flags, pieces) => {
      const pattern = compilePattern(first + then, flags) as Pattern;
      const text = pieces.join("");
      expect(pattern.test(text)).toBe(new RegExp(first + then, flags).test(text));
    }),
    { numRuns: 5000, seed: 3 },
  );
});
