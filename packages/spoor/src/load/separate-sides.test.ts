import { cpSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { findSide, separateSides } from "./separate-sides.ts";

/** A folder with these files, and what `separateSides` makes of paths in it. */
function sidesIn(files: readonly string[], prepare: (folder: string) => void = () => undefined) {
  const folder = temporaryFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  prepare(folder);
  return (...sides: readonly (readonly string[])[]) => {
    const { files: found, takenOut } = separateSides(
      sides.map((paths) =>
        findSide(paths.map((path) => (path.startsWith("./") ? `${folder}/./${path.slice(2)}` : join(folder, path)))),
      ),
    );
    return {
      files: found.map((side) => side.map((file) => basename(file))),
      takenOut: takenOut.map(({ files: amount }) => amount),
    };
  };
}

const nested = ["traces/a.json", "traces/b.json", "traces/candidate/a.json", "traces/candidate/c.json"];

describe("a folder inside the other side's folder", () => {
  it.each([
    {
      sides: [["traces"], ["traces/candidate"]],
      files: [
        ["a.json", "b.json"],
        ["a.json", "c.json"],
      ],
    },
    {
      sides: [["traces/candidate"], ["traces"]],
      files: [
        ["a.json", "c.json"],
        ["a.json", "b.json"],
      ],
    },
    {
      sides: [["./traces"], ["traces/candidate/*.json"]],
      files: [
        ["a.json", "b.json"],
        ["a.json", "c.json"],
      ],
    },
    {
      sides: [["traces/**/*.json"], ["traces/candidate"]],
      files: [
        ["a.json", "b.json"],
        ["a.json", "c.json"],
      ],
    },
  ])("$sides: its files count on the inner side alone", ({ sides, files }) => {
    expect(sidesIn(nested)(...sides)).toEqual({ files, takenOut: [2] });
  });

  it("one file inside the other side's folder is taken out of it", () => {
    expect(sidesIn(nested)(["traces/candidate/c.json"], ["traces/candidate"])).toEqual({
      files: [["c.json"], ["a.json"]],
      takenOut: [1],
    });
  });

  it("holds for more than two sides", () => {
    expect(
      sidesIn([...nested, "traces/candidate/late/d.json"])(["traces"], ["traces/candidate"], ["traces/candidate/late"])
        .files,
    ).toEqual([["a.json", "b.json"], ["a.json", "c.json"], ["d.json"]]);
  });
});

describe("refused", () => {
  it.each([
    { name: "one file twice", sides: [["traces/a.json"], ["traces/a.json"]] },
    { name: "one file by two spellings", sides: [["./traces/a.json"], ["traces/a.json"]] },
    { name: "one folder twice", sides: [["traces"], ["./traces"]] },
    { name: "a folder and a pattern for the same files", sides: [["traces/candidate"], ["traces/candidate/*"]] },
    {
      name: "patterns that share some files",
      sides: [
        ["traces/[ab].json", "traces/candidate/a.json"],
        ["traces/b.json", "traces/candidate/*"],
      ],
    },
    {
      name: "a file that both sides name, among others",
      sides: [["traces/a.json", "traces/b.json"], ["traces/a.json"]],
    },
  ])("$name", ({ sides }) => {
    expect(() => sidesIn(nested)(...sides)).toThrow(expect.objectContaining({ code: "input.both-sides" }));
  });

  it.each([
    ["a symbolic link", (folder: string) => symlinkSync(join(folder, "traces/a.json"), join(folder, "other.json"))],
    ["a hard link", (folder: string) => linkSync(join(folder, "traces/a.json"), join(folder, "other.json"))],
  ])("%s to the file of the other side", (_, prepare) => {
    expect(() => sidesIn(nested, prepare)(["traces/a.json"], ["other.json"])).toThrow(/both sides/);
  });

  it("a linked folder", () => {
    const prepare = (folder: string) => symlinkSync(join(folder, "traces/candidate"), join(folder, "again"));
    expect(() => sidesIn(nested, prepare)(["traces/candidate"], ["again"])).toThrow(/both sides/);
  });
});

it("copies, other folders and standard input are left alone", () => {
  const prepare = (folder: string) =>
    cpSync(join(folder, "traces/candidate"), join(folder, "copy"), { recursive: true });
  const both = ["a.json", "c.json"];
  expect(sidesIn(nested, prepare)(["traces/candidate"], ["copy"])).toEqual({ files: [both, both], takenOut: [] });
  expect(separateSides([findSide(["-"]), findSide(["-"])]).files).toEqual([["-"], ["-"]]);
});
