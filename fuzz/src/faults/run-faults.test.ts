/** A part of `npm run faults`: the two writers that many processes share, killed in the middle of a write; and no source that writes is forgotten. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../repository-files.ts";
import { runFaults } from "./run-faults.ts";
import { sourcesOfWrites } from "./writer-sources.ts";
import { fileWriters } from "./writers.ts";

describe("a process that is killed in the middle of writing", () => {
  it.each(fileWriters.filter(({ name }) => name === "guard sessions"))("loses nothing of $name", (writer) => {
    const { points, defects } = runFaults(writer, ["kill-half"]);
    expect(points).toBeGreaterThan(10);
    expect(defects).toEqual([]);
  });
});

const CHANGES = new Set(
  [
    "writeFile",
    "appendFile",
    "rename",
    "mkdir",
    "mkdtemp",
    "unlink",
    "rm",
    "rmdir",
    "link",
    "symlink",
    "truncate",
  ].concat(["ftruncate", "copyFile", "cp", "createWriteStream", "utimes", "chmod", "write"]),
);

/** Whether it takes a call that changes files from Node; `open` only where what it opens is written. */
function changesFiles(text: string): boolean {
  const imports = [...text.matchAll(/^import \{([^}]*)\} from "node:fs(?:\/promises)?";$/gms)];
  const names = imports.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim().replace(/^type /, "")));
  const isWhole = /^import (?:\w+|\* as \w+)[^"]*from "node:fs/m.test(text);
  const opens =
    names.some((name) => /^open(Sync)?$/.test(name)) && /\.(?:write|truncate)\(|, "(?:w|a|r\+|wx)"/.test(text);
  return isWhole || opens || names.some((name) => CHANGES.has(name.replace(/Sync$/, "")));
}

it("every source that changes files is one of a writer that is tried, or says why not", () => {
  const packages = join(repository, "packages");
  const found = readdirSync(packages, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /^\w+\/src\/.*\.tsx?$/.test(name) && !name.includes(".test.") && !name.endsWith(".d.ts"))
    .filter((name) => changesFiles(readFileSync(join(packages, name), "utf8")));
  expect(found.sort()).toEqual(sourcesOfWrites.map(({ source }) => source).sort());
  const known = new Set(fileWriters.map(({ name }) => name));
  expect(sourcesOfWrites.flatMap(({ writers }) => writers).filter((name) => !known.has(name))).toEqual([]);
  expect(sourcesOfWrites.filter(({ writers, apart }) => (writers.length === 0) !== (apart !== undefined))).toEqual([]);
});
