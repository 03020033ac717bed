import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levenshtein } from "./levenshtein.ts";

describe("levenshtein", () => {
  it.each([
    ["kitten", "sitting", 3],
    ["flaw", "lawn", 2],
    ["", "abc", 3],
    ["same", "same", 0],
    ["ab", "ba", 2],
    ["intention", "execution", 5],
  ])("%s to %s takes %i edits", (left, right, expected) => {
    expect(levenshtein([...left], [...right])).toBe(expected);
  });

  it("agrees with the textbook table, short and beyond one machine word", () => {
    fc.assert(
      fc.property(sequence(140, 3), sequence(140, 3), (left, right) => {
        expect(levenshtein(left, right)).toBe(textbookDistance(left, right));
      }),
    );
    fc.assert(
      fc.property(sequence(70, 40), sequence(70, 40), (left, right) => {
        expect(levenshtein(left, right)).toBe(textbookDistance(left, right));
      }),
    );
  });

  it("stays exact for long sequences with few changes", () => {
    const left = Array.from({ length: 5000 }, (_, index) => `call-${index}`);
    const right = left.filter((_, index) => index % 1000 !== 7);
    right[2000] = "another";
    expect(levenshtein(left, right)).toBe(6);
  });
});

function sequence(maxLength: number, symbols: number) {
  return fc.array(fc.integer({ min: 0, max: symbols - 1 }), { maxLength });
}

function textbookDistance(left: readonly number[], right: readonly number[]): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  left.forEach((symbol, index) => {
    const next = [index + 1];
    right.forEach((other, column) => {
      next.push(Math.min(row[column + 1]! + 1, next[column]! + 1, row[column]! + (symbol === other ? 0 : 1)));
    });
    row = next;
  });
  return row[right.length]!;
}
