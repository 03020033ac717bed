import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeNewFile } from "./write-new-file.ts";

it("the first to come writes it, and nothing else stays in the folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a");
  expect(writeNewFile(file, "first")).toBe(true);
  expect(writeNewFile(file, "second")).toBe(false);
  expect(readFileSync(file, "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["a"]);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, "taken"), "");
  expect(() => writeNewFile(join(folder, "taken", "b"), "x")).toThrow(/ENOTDIR|ENOENT/);
});
