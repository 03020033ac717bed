import { describe, expect, it } from "vitest";
import { parseCsv } from "./parse-csv.ts";

const rowsOf = (text: string) => {
  const table = parseCsv(text);
  if ("message" in table) throw new Error(`${table.line}: ${table.message}`);
  return [table.header, ...table.rows.map(({ cells }) => cells)];
};

describe("parseCsv", () => {
  it.each([
    [
      "plain",
      "a,b\n1,2\n3,4\n",
      [
        ["a", "b"],
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    [
      "without a line end at the end",
      "a,b\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a byte order mark and CRLF",
      "\uFEFFa,b\r\n1,2\r\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "CR alone",
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a mark before a quoted header",
      '\uFEFF"a, x",b\r\n1,2\r\n',
      [
        ["a, x", "b"],
        ["1", "2"],
      ],
    ],
    [
      "quotes, commas and line ends inside quotes",
      'a,b\n"x, ""y""","1\r\n2"\n',
      [
        ["a", "b"],
        ['x, "y"', "1\r\n2"],
      ],
    ],
    [
      "empty cells",
      'a,b,c\n,"",\n',
      [
        ["a", "b", "c"],
        ["", "", ""],
      ],
    ],
    [
      "empty lines between rows",
      "a,b\n\n1,2\n\n\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["one column whose cell is an empty text in quotes", 'a\n""\nx\n', [["a"], [""], ["x"]]],
    [
      "semicolons",
      "a;b\n1,5;2\n",
      [
        ["a", "b"],
        ["1,5", "2"],
      ],
    ],
    [
      "tabs",
      "a\tb\n1\t2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "spaces as part of a cell, not of a name",
      " a ,b\n x ,y\n",
      [
        ["a", "b"],
        [" x ", "y"],
      ],
    ],
  ])("reads %s", (_name, text, expected) => {
    expect(rowsOf(text)).toEqual(expected);
  });

  it.each([
    ["an unclosed quote", 'a,b\n1,2\n"x,3\n4,5\n', 3, "never closed"],
    ["text after a quote", 'a,b\n"x"y,2\n', 2, "follows a closing quote"],
    ["a quote inside a cell", 'a,b\n1,5" pipe\n', 2, "double the quote"],
    ["a row too short after one of several lines", 'a,b\n"1\n2",3\n4\n', 4, "this row has 1 cells, the header has 2"],
    ["a row too long", "a,b\n1,2,3\n", 2, "this row has 3 cells"],
    ["a column twice", "a,b,a\n1,2,3\n", 1, '"a" twice'],
    ["a column without a name", "a,,b\n1,2,3\n", 1, "column 2 has no name"],
    ["nothing at all", "\uFEFF\n\n", 1, "no header"],
  ])("refuses %s with its line", (_name, text, line, words) => {
    const problem = parseCsv(text);
    expect(problem).toMatchObject({ line });
    expect((problem as { message: string }).message).toContain(words);
  });
});
