/** A database of one table of texts under keys, as editors keep their state, written by a real engine. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";

export function writeKeyValues(table: string, rows: readonly (readonly [string, string])[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "spoor-key-values-"));
  try {
    const file = join(folder, "state.vscdb");
    const database = new Libsql(file);
    database.exec(`CREATE TABLE ${table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    for (const row of rows) insert.run([...row]);
    database.close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
