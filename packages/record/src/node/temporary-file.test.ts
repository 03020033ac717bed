import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sweepTemporaries, temporaryBeside } from "./temporary-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ownNumber = `-${process.pid.toString(36)}-`;
/** The number of a process that has ended. */
const deadNumber = () => `-${spawnSync("true").pid.toString(36)}-`;

describe("temporary files", () => {
  it("stand beside their file, hidden, and never share a name", () => {
    const [one, two] = [temporaryBeside("/a/b.json"), temporaryBeside("/a/b.json")];
    expect(dirname(one)).toBe("/a");
    expect(basename(one).startsWith(".b.json.")).toBe(true);
    expect(one).not.toBe(two);
  });

  it("are removed when the process that made them is gone, and only then", () => {
    const living = temporaryBeside(join(folder, "a.json"));
    const left = temporaryBeside(join(folder, "b.json")).replace(ownNumber, deadNumber());
    const elsewhere = left.replace(/\.[0-9a-f]{6}-/, ".000000-");
    const others = [".hidden.tmp", "b.json", ".b.json.tmp", ".b.json.123456.tmp"].map((name) => join(folder, name));
    for (const path of [living, left, elsewhere, ...others]) writeFileSync(path, "");
    sweepTemporaries(folder);
    expect(readdirSync(folder).sort()).toEqual([living, elsewhere, ...others].map((path) => basename(path)).sort());
  });

  it("that a journal may still name are left to those who know it", () => {
    const draft = temporaryBeside(join(folder, "a.json"), "draft").replace(ownNumber, deadNumber());
    writeFileSync(draft, "");
    sweepTemporaries(folder);
    expect(readdirSync(folder)).toEqual([basename(draft)]);
    sweepTemporaries(folder, "draft");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of another machine are removed when they are old", () => {
    const elsewhere = temporaryBeside(join(folder, "a.json")).replace(/\.[0-9a-f]{6}-/, ".000000-");
    writeFileSync(elsewhere, "");
    utimesSync(elsewhere, 1, 1);
    sweepTemporaries(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("in a folder that is not there are none", () => {
    expect(() => sweepTemporaries(join(folder, "none"))).not.toThrow();
  });
});
