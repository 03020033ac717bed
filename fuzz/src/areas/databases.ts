/**
 * Stores of coding agents, written by a real engine with damaged rows, so that the damage gets past the file format; and files whose pages or log are
 * damaged after. Read as they lie on the disk: at once, and page by page as large ones are.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core";
import { createRandom, type Random } from "@spoor/core/internal/stats/random";
import { isObject, type Json, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import Libsql from "libsql";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { type Area, RESULT } from "../area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { repository } from "../repository-files.ts";

const STORES = ["cursor/state.vscdb", "goose/sessions.db", "opencode/opencode.db"];

export const databasesArea: Area = {
  name: "databases",
  about: "databases of coding agents: rows damaged before a real engine writes them, pages and logs after",
  // The engine that writes them keeps some memory of every file it opened.
  share: 2,
  async open(scratch) {
    const file = join(scratch, "input.db");
    return {
      seeds: STORES.map(tablesOf),
      async drive({ bytes, choice }) {
        for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
        if (!writeDatabase(file, bytes, choice)) return "database.not-made";
        damagePages(file, choice);
        try {
          await loadTraceFile(file, {
            lenient: choice % 4 === 0,
            ...(choice % 2 === 0 ? { largeDatabase: 1 } : {}),
          });
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

/** What was said is JSON in a cell: as a value it is damaged where it has a structure. */
function tablesOf(name: string): Seed {
  const database = new Libsql(join(repository, "packages/spoor/test/fixtures", name), { readonly: true });
  const tables = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all([]) as Row[];
  const document = tables
    .filter((table) => !String(table["name"]).startsWith("sqlite_"))
    .map((table) => ({
      ...{ name: String(table["name"]), sql: String(table["sql"]) },
      rows: (database.prepare(`SELECT * FROM "${String(table["name"])}"`).all([]) as Row[]).map((row) =>
        Object.values(row).map(cellOf),
      ),
    }));
  database.close();
  return readSeed(`${name}.json`, Buffer.from(stringifyJson(document as unknown as Json)));
}

type Row = Record<string, unknown>;

function cellOf(value: unknown): Json {
  if (value === null || typeof value === "number") return value;
  const text =
    value instanceof Uint8Array || value instanceof ArrayBuffer
      ? Buffer.from(value as never).toString("utf8")
      : String(value);
  const json = /^\s*[[{]/.test(text) ? jsonOf(text) : undefined;
  return json === undefined ? text : { json };
}

/** False where the engine refuses such tables: nobody could have such a file. */
function writeDatabase(file: string, bytes: Buffer, choice: number): boolean {
  const tables = jsonOf(bytes.toString("utf8"));
  if (!Array.isArray(tables)) return false;
  const database = new Libsql(file);
  try {
    database.exec(`PRAGMA synchronous=OFF; PRAGMA page_size=${[512, 1024, 4096][choice % 3]}`);
    const hasLog = choice % 5 === 0;
    if (hasLog) database.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
    database.exec("BEGIN");
    for (const table of tables as readonly Json[]) {
      if (!isObject(table)) continue;
      const { name, sql, rows } = table;
      database.exec(String(sql));
      if (Array.isArray(rows)) (rows as readonly Json[]).forEach(createInserter(database, name));
    }
    database.exec("COMMIT");
    // What closes a database takes its log away.
    const log = hasLog ? readFileSync(`${file}-wal`) : undefined;
    const whole = hasLog ? readFileSync(file) : undefined;
    database.close();
    if (whole !== undefined) writeFileSync(file, whole);
    if (log !== undefined) writeFileSync(`${file}-wal`, log);
    return true;
  } catch (error) {
    if (!(error instanceof Libsql.SqliteError) && !(error instanceof TypeError)) throw error;
    return false;
  } finally {
    if (database.open) database.close();
  }
}

/** What the engine holds of a statement is only let go of some time later: a table has one for rows of each length. */
function createInserter(database: Libsql.Database, name: Json | undefined): (row: Json) => void {
  const statements = new Map<number, Libsql.Statement>();
  return (row) => {
    const cells = Array.isArray(row) ? (row as readonly Json[]) : [row];
    const places = cells.map(() => "?").join(", ");
    const known = statements.get(cells.length);
    const insert = known ?? database.prepare(`INSERT INTO "${String(name)}" VALUES (${places})`);
    statements.set(cells.length, insert);
    insert.run(cells.map(storedCell));
  };
}

function storedCell(cell: Json): string | number | null {
  if (typeof cell === "string" || typeof cell === "number" || cell === null) return cell;
  return stringifyJson(isObject(cell) && "json" in cell ? cell["json"]! : cell);
}

/** Where a page says what it holds: its head, the places of its cells, lengths and types at the beginning of one. */
function damagePages(file: string, choice: number): void {
  if (choice % 7 > 2) return;
  const path = choice % 5 === 0 ? `${file}-wal` : file;
  const random = createRandom(BigInt(choice));
  const bytes = readFileSync(path);
  for (let change = random.below(4); change >= 0 && bytes.length > 0; change--)
    bytes[placeIn(bytes, random)] = random.below(3) === 0 ? 0xff : random.below(256);
  const end = random.below(8) === 0 ? random.below(bytes.length + 1) : bytes.length;
  writeFileSync(path, bytes.subarray(0, end));
}

function placeIn(bytes: Buffer, random: Random): number {
  const pages = Math.max(1, Math.floor(bytes.length / 512));
  const page = random.below(pages) * 512;
  return Math.min(bytes.length - 1, page + random.below(page === 0 ? 140 : 64));
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
