import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sinceDifference } from "./since-difference.ts";

const cut = (text: string, length: number) => (text.length <= length ? text : `${text.slice(0, length - 1)}…`);

describe("sinceDifference", () => {
  it.each<[string, string, string, number, string]>([
    ["what fits is whole", "total > 100", "total > 900", 20, "total > 100"],
    [
      "so is what differs in sight",
      "refund 40 of the late order",
      "refund 89 of it",
      20,
      "refund 40 of the late order",
    ],
    [
      "what differs behind the cut",
      "select a from b where total > 100",
      "select a from b where total > 900",
      24,
      "…b where total > 100",
    ],
    [
      "a quote stays",
      '"select a from b where total > 100"',
      '"select a from b where total > 900"',
      24,
      '"…b where total > 100"',
    ],
    ["the end of the shorter one", "a word and another word", "a word and another word and more", 18, "…word"],
    ["one long word", "aaaaaaaaaaaaaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaaaaaac", 12, "…aaaaaaaaaab"],
  ])("%s", (_what, text, other, length, shown) => {
    expect(sinceDifference(text, other, length)).toBe(shown);
  });

  it("two texts that differ never look the same, whatever they are and however little room there is", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "😀", '"', "é"), maxLength: 60 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 8, max: 40 }), (shared, one, other, length) => {
        const [left, right] = [shared + one, shared + other];
        fc.pre(left !== right);
        const shown = [sinceDifference(left, right, length), sinceDifference(right, left, length)];
        expect(cut(shown[0]!, length)).not.toBe(cut(shown[1]!, length));
        for (const side of shown) expect(side.isWellFormed()).toBe(true);
      }),
    );
  });
});
