import { expect, it } from "vitest";
import { WordTable } from "./word-table.ts";

const numberOf = (table: WordTable, word: string, hash: number, before = "") =>
  table.numberOf(`${before}${word} and more`, before.length, before.length + word.length, hash);

it("numbers words in the order in which they first come, wherever they stand in a text", () => {
  const table = new WordTable();
  expect([numberOf(table, "refund", 7), numberOf(table, "order", 9), numberOf(table, "refund", 7, "a ")]).toEqual([
    0, 1, 0,
  ]);
  expect(table.words).toEqual(["refund", "order"]);
});

it.each([
  { name: "other letters", words: ["abc", "abd"] },
  { name: "one is the beginning of the other", words: ["order", "orders", "ord"] },
  { name: "letters outside of the first plane", words: ["𝒳", "𝒴"] },
])("keeps words of one hash apart: $name", ({ words }) => {
  const table = new WordTable();
  expect(words.map((word) => numberOf(table, word, 42))).toEqual([...words.keys()]);
  expect(words.map((word) => numberOf(table, word, 42))).toEqual([...words.keys()]);
});

it("finds every word again after it has grown, also where hashes share their lower bits", () => {
  const table = new WordTable();
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`);
  for (const hashOf of [(index: number) => index << 16, (index: number) => -index]) {
    const numbers = words.map((word, index) => numberOf(table, word + hashOf(1), hashOf(index)));
    expect(new Set(numbers).size).toBe(3000);
    expect(words.map((word, index) => numberOf(table, word + hashOf(1), hashOf(index)))).toEqual(numbers);
  }
});
