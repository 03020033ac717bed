import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { makeFolder } from "./make-folder.ts";

it("several writers make the same new folders at once", async () => {
  const root = temporaryFolder();
  for (let round = 0; round < 20; round++) {
    const folders = Array.from({ length: 8 }, (_, index) => join(root, `${round}/a/b`, `c${index % 3}`));
    await Promise.all(folders.map((folder) => makeFolder(folder)));
    expect(folders.every((folder) => existsSync(folder))).toBe(true);
  }
});

it("every folder that is made has the mode that was asked for", async () => {
  const root = temporaryFolder();
  await makeFolder(join(root, "a/b"), { mode: 0o700 });
  expect(["a", "a/b"].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([0o700, 0o700]);
});

it.skipIf(process.platform !== "linux").each(["/proc/spoor/a/b", "FILE/a/b"])(
  "%s cannot be made, and that is told at once, whether one waits for it or not",
  async (name) => {
    const root = temporaryFolder();
    writeFileSync(join(root, "FILE"), "");
    const folder = name.startsWith("/") ? name : join(root, name);
    await expect(makeFolder(folder)).rejects.toThrow(/ENOENT|ENOTDIR|EEXIST/);
    expect(() => makeFolderSync(folder)).toThrow(/ENOENT|ENOTDIR|EEXIST/);
  },
);

it("at once makes the same folders with the same mode", () => {
  const root = temporaryFolder();
  makeFolderSync(join(root, "a/b"), { mode: 0o700 });
  makeFolderSync(join(root, "a/b"));
  expect(["a", "a/b"].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([0o700, 0o700]);
});

it("is the only way in which folders are made with those above them", () => {
  const packages = fileURLToPath(new URL("../../../", import.meta.url));
  const sources = ["core", "record", "server", "spoor", "web"].flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => join(packages, name, "src", file)),
  );
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((file) => /mkdir(?:Sync)?\([^;]*recursive/.test(readFileSync(file, "utf8")))).toEqual([]);
});
