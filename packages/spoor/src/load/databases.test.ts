/** Database files on the disk: with what stands beside them, and those that nobody reads. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentToPush } from "../push/content-to-push.ts";
import { findFiles } from "./find-files.ts";
import { loadTraceFile } from "./load-traces.ts";

const at = (path: string) => fileURLToPath(new URL(`../../test/${path}`, import.meta.url));
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-databases-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function copied(fixture: string, name: string): string {
  const path = join(folder, name);
  copyFileSync(at(fixture), path);
  return path;
}

describe("a database of a tool", () => {
  it.each([
    { fixture: "fixtures/cursor/state.vscdb", format: "cursor", traces: 2 },
    { fixture: "fixtures/goose/sessions.db", format: "goose", traces: 2 },
    { fixture: "fixtures/opencode/opencode.db", format: "opencode", traces: 1 },
  ])("is known by its tables, not by its name: $format", async ({ fixture, format, traces }) => {
    const plain = await loadTraceFile(copied(fixture, "x.json"), {});
    expect(plain.map(({ source }) => source.format)).toEqual(Array.from({ length: traces }, () => format));
    const packed = await loadTraceFile("x.gz", { bytes: gzipSync(readFileSync(at(fixture))) });
    expect(packed.map(({ turns }) => turns.length)).toEqual(plain.map(({ turns }) => turns.length));
  });

  it("is the same when it is too large to be held, and read page by page", async () => {
    for (const fixture of ["fixtures/cursor/state.vscdb", "fixtures/goose/sessions.db"]) {
      const file = copied(fixture, "large.db");
      const [held, paged] = [await loadTraceFile(file, {}), await loadTraceFile(file, { largeDatabase: 1 })];
      expect(paged.map(({ turns }) => turns)).toEqual(held.map(({ turns }) => turns));
      truncateSync(file, 9000);
      await expect(loadTraceFile(file, { largeDatabase: 1 })).rejects.toMatchObject({ code: "trace.bad-database" });
    }
    const other = copied("fixtures/opencode/session.json", "large.json");
    await expect(loadTraceFile(other, { largeDatabase: 1 })).resolves.toHaveLength(1);
  });

  it("is not read in the middle of a change", async () => {
    const file = copied("fixtures/goose/sessions.db", "changing.db");
    writeFileSync(`${file}-journal`, Buffer.concat([Buffer.from("d9d505f920a163d7", "hex"), Buffer.alloc(504)]));
    await expect(loadTraceFile(file, {})).rejects.toMatchObject({
      code: "trace.bad-database",
      message: expect.stringContaining("in the middle of changing it"),
      hint: expect.stringContaining("Wait"),
    });
    // A journal that is done with is overwritten with zeros, or empty.
    writeFileSync(`${file}-journal`, Buffer.alloc(512));
    await expect(loadTraceFile(file, {})).resolves.toHaveLength(2);
  });

  it("has what stands in the log beside it", async () => {
    const file = copied("sqlite/notes.db", "notes.db");
    copyFileSync(at("sqlite/notes.db-wal"), `${file}-wal`);
    // No tool's tables; that the log was read shows in its damage being told.
    await expect(loadTraceFile(file, {})).rejects.toMatchObject({ code: "trace.unknown-format" });
    writeFileSync(`${file}-wal`, Buffer.alloc(100, 1));
    await expect(loadTraceFile(file, {})).rejects.toMatchObject({
      code: "trace.bad-database",
      message: expect.stringContaining("the log beside it is no log of SQLite"),
    });
  });

  it("is pushed as its runs, without the rest of the database", async () => {
    const file = copied("fixtures/cursor/state.vscdb", "pushed.vscdb");
    const sent = await contentToPush(file, createRedaction());
    expect(sent.map(({ entry }) => entry)).toHaveLength(2);
    expect(Buffer.concat(sent.map(({ bytes }) => bytes)).toString("latin1")).not.toMatch(/never-read|SQLite/);
  });

  it("is one file of a folder, whatever stands beside it", () => {
    const inner = mkdtempSync(join(folder, "folder-"));
    for (const ending of ["", "-wal", "-shm", "-journal"]) writeFileSync(join(inner, `state.vscdb${ending}`), "x");
    expect(findFiles(inner)).toEqual([join(inner, "state.vscdb")]);
  });
});

describe("a database of nobody known", () => {
  it("is refused with its tables and the ones that are read", async () => {
    await expect(loadTraceFile(at("sqlite/notes.db"), {})).rejects.toMatchObject({
      code: "trace.unknown-format",
      message: expect.stringContaining("is an SQLite database that Spoor does not read"),
      consequence: "Its tables: note.",
      hint: expect.stringContaining("Cursor chats"),
    });
  });

  it("of VS Code is told apart from Cursor's", async () => {
    const packed =
      "H4sIAAAAAAACA+3XMUvDQBjG8feiqAgl3TpJ3lFBhOIXMAknBEJi6xUcCiFqlGJqUVPR0Q/nd+po4xDRxb38f3DH+9xwHNz0XI7SWVPp3eJ5XjZ6Kn0xRs5URcSs15b8aPP2n/wfIyc3puevxPOn4k/9TwEAAAAAYMPcm91BEJiPg6a8rqukqebu1+DFYxs6qy6MUqvdsR4+VO/q7JXTSZaMJlbzTOM8O0+T2OnYXqRhbI/1tayXlUZpHh0NvZ2BDYzMHm+rt5enet3oi3LZLL5z0V1cDLux7fV77Rt77dbnrwAAAAAA2GT79H8AAAAAADbeFyNOZwAAMAAA";
    await expect(loadTraceFile("state.vscdb", { bytes: Buffer.from(packed, "base64") })).rejects.toMatchObject({
      message: "state.vscdb is an SQLite database of VS Code that Spoor does not read.",
      hint: expect.stringContaining("Chat: Export Chat"),
    });
  });

  it("without a page is refused", async () => {
    const bytes = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(84)]);
    await expect(loadTraceFile("state.vscdb", { bytes })).rejects.toMatchObject({ code: "trace.bad-database" });
  });
});
