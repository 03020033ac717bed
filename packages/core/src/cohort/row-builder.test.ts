import { expect, it } from "vitest";
import { RowBuilder } from "./row-builder.ts";

const rowOf = (row: RowBuilder) =>
  Array.from({ length: row.size }, (_, place) => [row.columns[place]!, row.values[place]!]);

it("adds up what comes again, at the place where it came first", () => {
  const row = new RowBuilder();
  for (const [column, amount] of [
    [5, 1],
    [0, 0],
    [5, 0.5],
    [2, 3],
  ] as const)
    row.add(column, amount);
  expect(rowOf(row)).toEqual([
    [5, 1.5],
    [0, 0],
    [2, 3],
  ]);
});

it("remembers nothing of the row before", () => {
  const row = new RowBuilder();
  for (const column of [1, 2, 3]) row.add(column, 10);
  row.clear();
  // Column 3 stood at place 2 before: it must not be taken for what is there now.
  for (const column of [3, 1, 2, 3]) row.add(column, 1);
  expect(rowOf(row)).toEqual([
    [3, 2],
    [1, 1],
    [2, 1],
  ]);
});

it("grows with the row and with the numbers of columns", () => {
  const row = new RowBuilder();
  for (let column = 5000; column > 4000; column--) row.add(column, column);
  expect(row.size).toBe(1000);
  expect(rowOf(row).every(([column, value], place) => column === 5000 - place && value === column)).toBe(true);
});
