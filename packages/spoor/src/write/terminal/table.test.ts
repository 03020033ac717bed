import { expect, it } from "vitest";
import type { Table } from "../../document/document.ts";
import { styled } from "../../document/text.ts";
import { tableLines } from "./table.ts";
import { createTerminalStyle } from "./terminal-style.ts";

const lines = (table: Table, columns: number, color = false) =>
  tableLines(table, 2, createTerminalStyle({ columns, color }));

it("texts of one cell stand below each other, each broken where the line ends", () => {
  const table: Table = {
    kind: "table",
    columns: [{ title: "aspect" }, { title: "what moved", fit: "wrap" }],
    rows: [
      { cells: [["tools"], { kind: "stack", texts: [["confirm in no run"], ["refund in every single run"]] }] },
      { cells: [["order"], ["as before"]] },
    ],
  };
  expect(lines(table, 30)).toEqual([
    "  aspect  what moved",
    "  tools   confirm in no run",
    "          refund in every",
    "          single run",
    "  order   as before",
  ]);
});

it("a cell before others is broken too, and its row keeps its numbers on the first line", () => {
  const table: Table = {
    kind: "table",
    columns: [
      { title: "the agent", fit: "wrap" },
      { title: "found", align: "right" },
    ],
    rows: [{ cells: [["calls its commonest tool once less"], ["60 %"]], tone: "dim" }],
  };
  expect(lines(table, 30)).toEqual([
    "  the agent              found",
    "  calls its commonest     60 %",
    "  tool once less",
  ]);
  // A tone ends with its line, or it would run into the next column.
  expect(lines(table, 30, true)[1]).toBe("  \u001b[2mcalls its commonest\u001b[22m     \u001b[2m60 %\u001b[22m");
});

it("no column becomes narrower than its title", () => {
  const table: Table = {
    kind: "table",
    columns: [{ title: "point" }, { title: "known paths", align: "right" }, { title: "models" }],
    rows: [{ cells: [["a-rather-long-name-of-a-point"], ["55 %"], [styled("strong", "gpt-4o")]] }],
  };
  expect(lines(table, 34)).toEqual(["  point        known paths  models", "  a-rather-l…         55 %  gpt-4o"]);
});
