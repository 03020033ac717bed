import { describe, expect, it } from "vitest";
import { shellWord } from "../../document/shell-word.ts";
import { integer } from "../../document/words.ts";
import { toAscii } from "./ascii.ts";
import { columnsOf, cut, cutMiddle, wrap } from "./layout.ts";

describe("shellWord", () => {
  it.each([
    ["traces/run-1.json", "traces/run-1.json"],
    ["runs/trial*.json", "'runs/trial*.json'"],
    ["task 5 trial 0", "'task 5 trial 0'"],
    ["it's", "'it'\\''s'"],
    ["$(id)", "'$(id)'"],
    ["", "''"],
  ])("%j is typed as %s", (text, typed) => expect(shellWord(text)).toBe(typed));
});

describe("cutMiddle keeps both ends", () => {
  it.each([
    ["short", 10, "short"],
    ["dailylife/user_task_12", 13, "dailyl…ask_12"],
    ["日本語ツール一二三", 9, "日本…二三"],
    ["anything", 1, "…"],
  ])("%j in %i columns", (text, columns, expected) => {
    const shown = cutMiddle(text, columns, "…");
    expect(shown).toBe(expected);
    expect(columnsOf(shown)).toBeLessThanOrEqual(columns);
  });
});

describe("toAscii", () => {
  it.each([
    ["plain", "plain"],
    ["“don’t” – it’s 3×", "\"don't\" - it's 3x"],
    ["│ 日本 ✅", "| ???? ??"],
    ["\u001b[31mred\u001b[39m", "\u001b[31mred\u001b[39m"],
  ])("%j", (text, plain) => {
    expect(toAscii(text)).toBe(plain);
    expect(columnsOf(toAscii(text))).toBe(columnsOf(text));
  });
});

it("counts the two columns of an emoji", () => {
  expect(columnsOf("✅ ok")).toBe(5);
  expect(cut("✅✅✅", 5, "…")).toBe("✅✅…");
});

it.each([
  [1234, "1,234"],
  [1e20, "1.0e+20"],
])("integer %d", (value, text) => expect(integer(value)).toBe(text));

describe("wrap", () => {
  it.each([
    ["one two three", 7, ["one two", "three"]],
    ["v2|LLM_CALL:a|TOOL_CALL:b|end", 16, ["v2|LLM_CALL:a|", "TOOL_CALL:b|end"]],
    ["x".repeat(20), 8, ["xxxxxxxx", "xxxxxxxx", "xxxx"]],
  ])("%j in %i columns", (text, columns, lines) => expect(wrap(text, columns)).toEqual(lines));
});
