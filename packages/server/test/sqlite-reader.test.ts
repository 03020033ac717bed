/** The reader of database files that needs no driver, held to the engine: what a real one wrote is read back value by value, in every shape of file. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Libsql from "libsql";
import { openSqlite } from "spoor/internal/load/sqlite/open-sqlite";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "spoor-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

type Value = null | number | bigint | string | Buffer;

const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !value.includes("\0"));
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true }),
  text,
  fc.nat(9000).map((length) => "long ".repeat(length / 5)),
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
);

describe("what a real engine wrote", () => {
  it("is read back, whatever pages, encoding, values and log", () => {
    fc.assert(
      fc.property(
        fc.record({
          pageSize: fc.constantFrom(512, 1024, 4096, 65_536),
          encoding: fc.constantFrom("UTF-8", "UTF-16le", "UTF-16be"),
          wal: fc.boolean(),
          autoVacuum: fc.boolean(),
          rows: fc.array(fc.tuple(value, value), { maxLength: 60 }),
          deleted: fc.nat(5),
        }),
        ({ pageSize, encoding, wal, autoVacuum, rows, deleted }) => {
          const file = join(folder, `${files++}.db`);
          const database = new Libsql(file);
          database.exec(
            `PRAGMA page_size=${pageSize}; PRAGMA encoding="${encoding}"; PRAGMA auto_vacuum=${autoVacuum ? 1 : 0}`,
          );
          if (wal) database.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
          database.exec(
            `CREATE TABLE t (id INTEGER PRIMARY KEY, "first one" BLOB, second, twice INT AS (id * 2), PRIMARY_KEYED TEXT DEFAULT 'x')`,
          );
          const insert = database.prepare(`INSERT INTO t (id, "first one", second) VALUES (?, ?, ?)`);
          for (const [index, [first, second]] of rows.entries()) insert.run([index * 7 - 3, first, second]);
          database.exec(`DELETE FROM t WHERE id % 7 = ${deleted} AND id > 100`);
          database.exec("ALTER TABLE t ADD COLUMN later TEXT DEFAULT 'since then'");
          const select = database
            .prepare(`SELECT id, "first one", second, PRIMARY_KEYED, later FROM t ORDER BY id`)
            .safeIntegers(true);
          const expected = (select.all([]) as Record<string, Value>[]).map(plain);
          const read = openSqlite(file, readFileSync(file), wal ? readFileSync(`${file}-wal`) : undefined);
          expect([...read.rows("t")].map((row) => plain(row as Record<string, Value>))).toEqual(expected);
          database.close();
        },
      ),
      { numRuns: 40, seed: 42 },
    );
  });

  it("is read while it is written, as of the last commit", () => {
    const file = join(folder, "live.db");
    const writer = new Libsql(file);
    writer.exec("PRAGMA journal_mode=WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)");
    for (let round = 1; round <= 20; round++) {
      writer.exec(`BEGIN; INSERT INTO t (body) VALUES ('${"x".repeat(500 * round)}'); COMMIT; BEGIN`);
      writer.exec("INSERT INTO t (body) VALUES ('not yet')");
      if (round % 7 === 0) writer.exec("ROLLBACK; PRAGMA wal_checkpoint; BEGIN");
      const rows = [...openSqlite(file, readFileSync(file), readFileSync(`${file}-wal`)).rows("t")];
      expect(rows.map(({ body }) => String(body).length)).toEqual(
        Array.from({ length: round }, (_, at) => 500 * (at + 1)),
      );
      writer.exec("ROLLBACK");
    }
    writer.close();
  });
});

/** Integers by their value, bytes by their bytes; the sign of zero is not kept by the engine. */
function plain(row: Record<string, Value>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, one]) => {
      if (one instanceof Uint8Array || (one as unknown) instanceof ArrayBuffer)
        return [key, Buffer.from(one as Uint8Array).toString("hex")];
      return [key, typeof one === "number" || typeof one === "bigint" ? `${one === 0 ? 0 : one}` : one];
    }),
  );
}
