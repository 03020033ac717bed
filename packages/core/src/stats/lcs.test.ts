import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lcsLength, lcsPairs } from "./lcs.ts";

describe("longest common subsequence", () => {
  it.each([
    ["ABCBDAB", "BDCABA", 4],
    ["", "abc", 0],
    ["same", "same", 4],
    ["abc", "xyz", 0],
  ])("%s and %s share %i", (left, right, expected) => {
    expect(lcsLength([...left], [...right])).toBe(expected);
    expect(lcsPairs([...left], [...right])).toHaveLength(expected);
  });

  it("pairs are increasing, equal, and as many as the textbook table says", () => {
    fc.assert(
      fc.property(sequence(120, 4), sequence(120, 4), (left, right) => {
        const expected = textbookLcs(left, right);
        const pairs = lcsPairs(left, right);
        expect(lcsLength(left, right)).toBe(expected);
        expect(pairs).toHaveLength(expected);
        pairs.forEach(([one, other], index) => {
          expect(left[one]).toBe(right[other]);
          const previous = pairs[index - 1];
          if (previous) expect(previous[0] < one && previous[1] < other).toBe(true);
        });
      }),
    );
  });

  it("halves what does not fit into one table", () => {
    const left = Array.from({ length: 1500 }, (_, index) => (index * 7) % 11);
    const right = Array.from({ length: 1400 }, (_, index) => (index * 5) % 11);
    expect(lcsPairs(left, right)).toHaveLength(textbookLcs(left, right));
  });
});

function sequence(maxLength: number, symbols: number) {
  return fc.array(fc.integer({ min: 0, max: symbols - 1 }), { maxLength });
}

function textbookLcs(left: readonly number[], right: readonly number[]): number {
  let row = new Array<number>(right.length + 1).fill(0);
  for (const symbol of left) {
    const next = [0];
    right.forEach((other, column) => {
      next.push(symbol === other ? row[column]! + 1 : Math.max(row[column + 1]!, next[column]!));
    });
    row = next;
  }
  return row[right.length]!;
}
