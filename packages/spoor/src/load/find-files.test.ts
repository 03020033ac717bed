import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { findFiles } from "./find-files.ts";

it("a folder of Claude Code: transcripts of session and sub-agents, not the notes beside them", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "s1/subagents"), { recursive: true });
  const names = ["s1.jsonl", "s1/subagents/agent-a1.jsonl", "s1/subagents/agent-a1.meta.json", "other.meta.json"];
  for (const name of names) writeFileSync(join(folder, name), "{}\n");
  // A file of that name elsewhere is the user's own and is looked at.
  expect(findFiles(folder).map((file) => relative(folder, file))).toEqual([
    "other.meta.json",
    "s1/subagents/agent-a1.jsonl",
    "s1.jsonl",
  ]);
});

it.skipIf(process.platform === "win32")("a circle of links is refused by its name, alone and in a folder", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.json"), "{}");
  symlinkSync("loop.json", join(folder, "loop.json"));
  for (const path of [folder, join(folder, "loop.json"), join(folder, "*.json")])
    expect(() => findFiles(path)).toThrow(/loop\.json is a link that leads in a circle\.$/);
});

it.each(["", "  "])("says that a path is empty: %j", (path) => {
  expect(() => findFiles(path)).toThrow("A path is empty.");
});
