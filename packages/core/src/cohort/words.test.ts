import { describe, expect, it } from "vitest";
import { forEachWord, textBuckets, wordBucket } from "./words.ts";

describe("forEachWord", () => {
  const wordsOf = (text: string) => {
    const words: string[] = [];
    forEachWord(text, (lower, start, end) => words.push(lower.slice(start, end)));
    return words;
  };

  it("takes maximal runs of letters of any script, lower-cased", () => {
    expect(wordsOf("Größe, größe x2y — ДОМ 𝒳")).toEqual(["größe", "größe", "x", "y", "дом", "𝒳"]);
  });

  it("finds none in digits, signs and halves of letters", () => {
    expect(wordsOf("42 % !? \ud835")).toEqual([]);
  });

  it("takes a word up to the end of the text, also one outside of the first plane", () => {
    expect(wordsOf("a😀b 𝒳𝒴")).toEqual(["a", "b", "𝒳𝒴"]);
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
  expect(length(textBuckets("one two two three"))).toBeCloseTo(1, 12);
  expect(length(textBuckets(""))).toBe(0);
});

it("weighs a bucket by the logarithm of how often its words occur", () => {
  const vector = textBuckets("a a a foobar");
  // log2(1 + 3) = 2 against log2(1 + 1) = 1.
  expect(vector[wordBucket("a")]! / vector[wordBucket("foobar")]!).toBeCloseTo(2, 12);
});
