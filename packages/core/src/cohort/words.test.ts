import { describe, expect, it } from "vitest";
import { bucketVector, countWords, wordBucket } from "./words.ts";

describe("countWords", () => {
  it("takes maximal runs of letters of any script, lower-cased", () => {
    expect([...countWords("Größe, größe x2y — ДОМ 𝒳")]).toEqual([
      ["größe", 2],
      ["x", 1],
      ["y", 1],
      ["дом", 1],
      ["𝒳", 1],
    ]);
  });

  it("finds none in digits and signs", () => {
    expect(countWords("42 % !?").size).toBe(0);
  });
});

/** FNV-1a 32 bit of the published test suite: "a" → e40c292c, "foobar" → bf9cf968 (isthe.com/chongo). */
it.each([
  ["a", 0x2c],
  ["foobar", 0x68],
])("puts %s into bucket %i, the last byte of its FNV-1a hash", (word, bucket) => {
  expect(wordBucket(word)).toBe(bucket);
});

it("gives a vector of length 1, or zero for no words", () => {
  const length = (vector: Float64Array) => Math.hypot(...vector);
  expect(length(bucketVector(countWords("one two two three"), wordBucket))).toBeCloseTo(1, 12);
  expect(length(bucketVector(new Map(), wordBucket))).toBe(0);
});
