/** A database as formats see it: tables by name, rows as objects. How it is stored is the business of `load/`. */
import type { Json } from "@spoor/core";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";

export type SqlValue = null | number | bigint | string | Uint8Array;

export interface SqlRow {
  readonly [column: string]: SqlValue;
}

export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Database {
  readonly tables: readonly TableShape[];
  /** In the order of their row ids; none for a table that is not there. */
  rows(table: string): Iterable<SqlRow>;
  /** A text; writers that declare a column BLOB keep texts there as bytes. */
  text(value: SqlValue | undefined): string | undefined;
}

/** Whether there is such a table with at least these columns. */
export function hasTable(tables: readonly TableShape[] | undefined, name: string, columns: readonly string[]): boolean {
  const table = tables?.find((one) => one.name === name);
  return table !== undefined && columns.every((column) => table.columns.includes(column));
}

/** A value that is kept as JSON text. */
export function jsonIn(database: Database, value: SqlValue | undefined): Json | undefined {
  const text = database.text(value);
  return text === undefined ? undefined : parseJsonText(text);
}

/** Rows as JSON: bytes become texts. */
export function jsonRows(database: Database, table: string): Record<string, Json>[] {
  return Array.from(database.rows(table), (row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [
        key,
        value instanceof Uint8Array ? (database.text(value) ?? null) : value,
      ]),
    ),
  );
}

/** Values by what they belong to, in their order. */
export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
