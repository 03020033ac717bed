import fc from "fast-check";
import { expect, it } from "vitest";
import { Haystack, ValueIndex } from "./value-index.ts";

/** Few letters, so that values meet, overlap and begin alike. */
const word = fc.stringMatching(/^[abZé1]{1,9}x$/);

it("finds exactly the values that a text holds, in whatever case, in the order of the text", () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.array(word, { maxLength: 8 }),
      fc.integer({ min: 1, max: 6 }),
      run,
    ),
    { numRuns: 3000, seed: 7 },
  );

  function run(values: readonly string[], words: readonly string[], width: number): void {
    const index = new ValueIndex(width);
    for (const [turn, value] of values.entries()) index.add(value, turn);
    const text = words.join("/");
    const lower = text.toLowerCase();
    const held = [...new Set(values.map((value) => value.toLowerCase()))]
      .filter((value) => value.length >= width && lower.includes(value))
      .sort((left, right) => lower.indexOf(left) - lower.indexOf(right));
    const found = index.findIn(new Haystack(text, false)).map((known) => known.text.toLowerCase());
    expect([...found].sort()).toEqual([...held].sort());
    expect(found.map((value) => lower.indexOf(value))).toEqual(held.map((value) => lower.indexOf(value)));
  }
});

it.each([
  ["DE12 3456 7890 12", "pay de123456789012 now", 1],
  ["DE12-3456-7890-12", "DE12 3456 7890 12", 1],
  ["a@b.test", "https://x.test/?to=A%40b.test", 1],
  ["ﬁle-0001", "file-0001", 1],
  ["123456", "the number 91234567", 0],
  ["123456", "the number 123456.", 1],
])("%j in %j: %i", (value, text, amount) => {
  const index = new ValueIndex(6);
  index.add(value, 0);
  expect(index.findIn(new Haystack(text, false))).toHaveLength(amount);
});
