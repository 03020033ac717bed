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
