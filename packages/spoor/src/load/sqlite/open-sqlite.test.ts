/** Databases that SQLite itself wrote, whole and damaged. What a real engine writes in every shape is read back in packages/server/test/sqlite-reader.test.ts. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SpoorError } from "@spoor/core";
import { createRandom } from "@spoor/core/internal/stats/random";
import { describe, expect, it } from "vitest";
import { openSqlite } from "./open-sqlite.ts";
import { parseColumns } from "./parse-columns.ts";
import { readVarint } from "./read-record.ts";

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../test/${path}`, import.meta.url)));
const notes = read("sqlite/notes.db");
const log = read("sqlite/notes.db-wal");
const whole = ["fixtures/cursor/state.vscdb", "fixtures/goose/sessions.db", "fixtures/opencode/opencode.db"].map(read);

const idsOf = (bytes: Buffer, wal?: Buffer) => [...openSqlite("notes.db", bytes, wal).rows("note")].map(({ id }) => id);

describe("a database", () => {
  it("is its tables and their rows", () => {
    const { tables, rows } = openSqlite("sessions.db", whole[1]!);
    expect(tables.map(({ name }) => name)).toEqual(["schema_version", "sessions", "messages"]);
    expect([...rows("schema_version")]).toEqual([{ version: 7, applied_at: "2026-01-05 09:00:00" }]);
    expect([...rows("sessions")].map(({ id, session_type }) => [id, session_type])).toEqual([
      ["20260105_1", "user"],
      ["20260105_2", "sub_agent"],
      ["20260105_3", "user"],
    ]);
    expect([...rows("nothing")]).toEqual([]);
  });

  it("has what its log committed, and nothing of what was never committed", () => {
    expect(idsOf(notes)).toEqual([1, 2]);
    expect(idsOf(notes, log)).toEqual([1, 3]);
    expect([...openSqlite("notes.db", notes, log).rows("note")][1]).toEqual({ id: 3, text: "in the log ".repeat(100) });
    // The frames of the last commit are the deletion; without them the row before it still counts.
    const frame = 24 + 512;
    const frames = (log.length - 32) / frame;
    const seen = Array.from({ length: frames + 1 }, (_, count) => idsOf(notes, log.subarray(0, 32 + count * frame)));
    expect(new Set(seen.map(String))).toEqual(new Set(["1,2", "1,2,3", "1,3"]));
    expect(idsOf(notes, Buffer.alloc(0))).toEqual([1, 2]);
    const older = Buffer.from(log);
    older.writeUInt32BE(7, 16);
    expect(idsOf(notes, older)).toEqual([1, 2]);
  });

  it.each([
    { name: "a log of something else", wal: Buffer.alloc(64, 7), why: "no log of SQLite" },
    { name: "a page size that is none", at: 16, to: 0x0203, why: "pages of 515 bytes" },
    { name: "an encoding that is none", at: 58, to: 9, why: "no known encoding" },
  ])("is refused: $name", ({ wal, at, to, why }) => {
    const bytes = Buffer.from(notes);
    if (at !== undefined) bytes.writeUInt16BE(to, at);
    expect(() => idsOf(bytes, wal)).toThrow(
      expect.objectContaining({ code: "trace.bad-database", message: expect.stringContaining(why) }),
    );
  });

  it("is refused when it ends early, wherever", () => {
    for (const bytes of whole)
      for (let length = 16; length < bytes.length; length += 97) {
        const cut = () => everything(bytes.subarray(0, length));
        expect(cut).toThrow(expect.objectContaining({ code: "trace.bad-database" }));
      }
  });

  it("is refused when pages lead in a circle, or rows are larger than their page", () => {
    const circle = Buffer.from(notes);
    // The root of the only table becomes a branch whose only child is itself.
    circle.fill(0, 512, 1024);
    circle[512] = 5;
    circle.writeUInt32BE(2, 512 + 8);
    expect(() => idsOf(circle)).toThrow("page 2 stands at two places");
    const again = Buffer.from(notes);
    // 200 rows, all of them the first one.
    const first = again.readUInt16BE(512 + 8);
    again.writeUInt16BE(200, 512 + 3);
    for (let index = 0; index < 200; index++) again.writeUInt16BE(first, 512 + 8 + 2 * index);
    expect(() => idsOf(again)).toThrow("do not fit into it");
  });

  it("is read or refused whatever bytes it has, in bounded time", () => {
    const random = createRandom(42);
    let refused = 0;
    for (let round = 0; round < 1500; round++) {
      const good = round % 4 === 3 ? notes : whole[round % 3]!;
      const bytes = Buffer.from(good);
      const wal = good === notes ? Buffer.from(log) : undefined;
      for (let flips = 1 + random.below(8); flips > 0; flips--) {
        const target = wal !== undefined && random.below(2) === 0 ? wal : bytes;
        // Half of them where pages say what they are.
        const page = 512 * random.below(Math.floor(target.length / 512));
        const at = random.below(2) === 0 ? page + random.below(24) : random.below(target.length);
        target[Math.max(16, at)] = random.below(256);
      }
      try {
        everything(bytes, wal);
      } catch (error) {
        if (!(error instanceof SpoorError)) throw error;
        expect(error.code).toBe("trace.bad-database");
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });
});

function everything(bytes: Buffer, wal?: Buffer): number {
  const database = openSqlite("damaged.db", bytes, wal);
  return database.tables.reduce((sum, { name }) => sum + [...database.rows(name)].length, 0);
}

describe("columns of a table", () => {
  it.each([
    { sql: "CREATE TABLE t(a, b TEXT)", names: ["a", "b"] },
    { sql: 'CREATE TABLE "t, (x)" ("a ""b""" TEXT, [c d] INT, `e` , \'f\' REAL)', names: ['a "b"', "c d", "e", "f"] },
    { sql: "CREATE TABLE t(a /* , b */ INT, -- c\n d DECIMAL(10, 2) CHECK (d IN (1, 2)))", names: ["a", "d"] },
    {
      sql: "CREATE TABLE t(a, b, PRIMARY KEY (a, b), CONSTRAINT x UNIQUE (b), FOREIGN KEY (a) REFERENCES u(a))",
      names: ["a", "b"],
    },
    { sql: "CREATE TABLE t AS SELECT 1", names: [] },
    { sql: "CREATE TABLE t(a TEXT DEFAULT ')', b)", names: ["a", "b"] },
  ])("$sql", ({ sql, names }) => {
    expect(parseColumns(sql).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    { column: "id INTEGER PRIMARY KEY", rowId: true },
    { column: "id integer primary key autoincrement", rowId: true },
    { column: "id INTEGER, PRIMARY KEY (ID)", rowId: true },
    { column: "id INT PRIMARY KEY", rowId: false },
    { column: "id INTEGER PRIMARY KEY DESC", rowId: false },
    { column: "id INTEGER", rowId: false },
    { column: "id TEXT PRIMARY KEY", rowId: false },
  ])("$column stands for the row's id: $rowId", ({ column, rowId }) => {
    expect(parseColumns(`CREATE TABLE t(${column})`)[0]!.isRowId).toBe(rowId);
  });
});

it.each([
  { bytes: [0x00], value: 0 },
  { bytes: [0x7f], value: 127 },
  { bytes: [0x81, 0x00], value: 128 },
  { bytes: [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], value: 2 ** 49 },
  { bytes: [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], value: -1 },
  { bytes: [0xc0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], value: -(2n ** 63n) },
])("a number of $bytes.length bytes", ({ bytes, value }) => {
  expect(readVarint(Buffer.from(bytes), 0)).toEqual({ value, next: bytes.length });
});
