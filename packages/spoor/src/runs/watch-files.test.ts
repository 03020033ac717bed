import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { watchFiles } from "./watch-files.ts";

function watched(looksAt = (path: string) => !path.startsWith("out")) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.md"), "1");
  mkdirSync(join(folder, "out"));
  mkdirSync(join(folder, "in"));
  writeFileSync(join(folder, "in/b.md"), "1");
  const told: string[] = [];
  const watch = watchFiles(folder, { looksAt, quietMs: 20, onChange: (paths) => told.push(...paths) });
  onTestFinished(() => watch.close());
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  return { folder, told, write, until: (path: string) => expect.poll(() => told).toContain(path) };
}

it("tells of files that change, also in folders, and not of those that are passed over or only touched", async () => {
  const { folder, told, write, until } = watched();
  write("out/x.md", "2");
  write("a.md", "1");
  utimesSync(join(folder, "a.md"), new Date(0), new Date(0));
  write("in/b.md", "2");
  await until("in/b.md");
  write("a.md", "2");
  await until("a.md");
  expect(new Set(told)).toEqual(new Set(["in/b.md", "a.md"]));
});

it("tells of new folders and what lies in them, of files that are gone, and of editors that write beside and rename", async () => {
  const { folder, write, until } = watched();
  mkdirSync(join(folder, "new/deep"), { recursive: true });
  write("new/deep/c.md", "1");
  await until("new/deep/c.md");
  write("new/deep/d.md", "1");
  await until("new/deep/d.md");
  rmSync(join(folder, "in/b.md"));
  await until("in/b.md");
  write("out/a.new", "2");
  renameSync(join(folder, "out/a.new"), join(folder, "a.md"));
  await until("a.md");
});
