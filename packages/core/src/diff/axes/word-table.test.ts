import { describe, expect, it } from "vitest";
import { splitWords, WordTable } from "./word-table.ts";

describe("words", () => {
  it.each([
    { text: "The ORDER was 1st-rate!", words: ["the", "order", "was", "1st", "rate"] },
    { text: "Cafe\u0301 CAF\u00c9", words: ["caf\u00e9", "caf\u00e9"] },
    { text: "\u03a3\u039f\u03a6\u039f\u03a3", words: ["\u03c3\u03bf\u03c6\u03bf\u03c3"] },
    { text: "  ", words: [] },
  ])("$text", ({ text, words }) => {
    expect(splitWords(text)).toEqual(words);
  });

  it("the table finds exactly the words it has learnt, however many", () => {
    const table = new WordTable();
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}x`);
    table.learn(words.join(" "));
    expect(table.size).toBe(3000);
    expect(table.find("WORD7x unknown word2999X, caf\u00e9 word0x")).toEqual([7, 2999, 0]);
    expect(table.find("WORD7x unknown word2999X; word0x")).toEqual([7, 2999, 0]);
  });
});
