/**
 * An SQLite database, read without a driver and without changing it: its tables and their rows. What is not read is refused in words: tables WITHOUT ROWID,
 * a database that a program is just changing, pages that contradict each other. Views, indexes and virtual tables hold nothing of their own.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Database, SqlRow, SqlValue } from "../../formats/database.ts";
import { type ByteSource, inMemory, openPages, type Pages } from "./pages.ts";
import { type Column, parseColumns } from "./parse-columns.ts";
import { readRecord } from "./read-record.ts";
import { badDatabase, DamagedDatabase } from "./sqlite-error.ts";
import { walkTable } from "./walk-table.ts";
import { readLog } from "./write-ahead-log.ts";

/** `log`: what stands in the `-wal` file beside it. */
export function openSqlite(file: string, content: Buffer | ByteSource, log?: Buffer): Database {
  return reading(file, () => {
    const source = Buffer.isBuffer(content) ? inMemory(content) : content;
    const pages = openPages(source, log === undefined ? undefined : readLog(log));
    const tables = readSchema(pages);
    return {
      tables: [...tables].map(([name, { columns }]) => ({ name, columns: columns.map((column) => column.name) })),
      *rows(name) {
        const table = tables.get(name);
        if (table === undefined) return;
        const rows = rowsOf(pages, table);
        for (;;) {
          const next = reading(file, () => rows.next());
          if (next.done) return;
          yield next.value;
        }
      },
      text: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : textOf(value)),
    };
  });
}

function textOf(value: SqlValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

interface Table {
  readonly root: number;
  readonly columns: readonly Column[];
}

const SCHEMA: Table = { root: 1, columns: parseColumns("CREATE TABLE x(type, name, tbl_name, rootpage, sql)") };

function readSchema(pages: Pages): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const { type, name, rootpage, sql } of rowsOf(pages, SCHEMA)) {
    if (type !== "table" || typeof name !== "string" || typeof sql !== "string") continue;
    if (typeof rootpage !== "number" || rootpage < 1 || name.startsWith("sqlite_")) continue;
    tables.set(name, { root: rootpage, columns: parseColumns(sql) });
  }
  return tables;
}

function* rowsOf(pages: Pages, { root, columns }: Table): Generator<SqlRow> {
  const stored = columns.filter(({ isVirtual }) => !isVirtual);
  for (const { id, payload } of walkTable(pages, root)) {
    const values = readRecord(payload, stored.length, pages.encoding);
    yield Object.fromEntries(stored.map((column, place) => [column.name, valueIn(column, values[place], id)]));
  }
}

function valueIn(column: Column, value: SqlValue | undefined, id: bigint | number): SqlValue {
  if (column.isRowId) return id;
  return value === undefined ? column.whenAbsent : value;
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    // Reading beyond the end of a page throws a RangeError of its own.
    if (!(error instanceof DamagedDatabase) && !(error instanceof RangeError)) throw error;
    const why = error instanceof DamagedDatabase ? error.message : "its pages are cut short or damaged";
    throw badDatabase(
      file,
      why,
      "Close the program it belongs to and copy it again, with the -wal file beside it.",
      error,
    );
  }
}
