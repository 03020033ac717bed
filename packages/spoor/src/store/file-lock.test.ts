import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { withFileLock } from "./file-lock.ts";

/** Short enough that a lock which must cost nothing and is waited for fails the test. */
const QUICKLY = { timeoutMs: 0 };

function lockOf(content: string, { old = false } = {}): { file: string; lock: string } {
  const file = join(temporaryFolder(), "history.jsonl");
  const lock = `${file}.lock`;
  writeFileSync(lock, content);
  if (old) utimesSync(lock, new Date(0), new Date(0));
  return { file, lock };
}

const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

describe("a lock that nobody holds costs nothing", () => {
  it.each([
    { name: "left empty", make: () => lockOf("", { old: true }) },
    { name: "half written", make: () => lockOf('{"pid": 1, "ho', { old: true }) },
    { name: "no lock at all", make: () => lockOf("[]", { old: true }) },
    {
      name: "of a process that was killed",
      make: () => lockOf(JSON.stringify({ pid: deadPid(), host: hostname(), token: "t" })),
    },
    {
      name: "of another machine, or a container that is gone, which nobody keeps fresh",
      make: () => lockOf(JSON.stringify({ pid: 1, host: "elsewhere.test", token: "t" }), { old: true }),
    },
  ])("$name", async ({ make }) => {
    const { file, lock } = make();
    expect(await withFileLock(file, async () => existsSync(lock), QUICKLY)).toBe(true);
    expect(existsSync(lock)).toBe(false);
  });

  it.skipIf(process.platform !== "linux")("of a process whose number another one has now", async () => {
    const { file } = lockOf(JSON.stringify({ pid: process.pid, host: hostname(), token: "t", started: "1" }));
    expect(await withFileLock(file, async () => "done", QUICKLY)).toBe("done");
  });
});

describe("a lock that someone holds", () => {
  it.each([
    { name: "a living process", owner: { pid: process.pid, host: hostname(), token: "t" } },
    { name: "another machine", owner: { pid: 1, host: "elsewhere.test", token: "t" } },
  ])("$name is reported and stays", async ({ owner }) => {
    const { file, lock } = lockOf(JSON.stringify(owner));
    await expect(withFileLock(file, async () => "done", QUICKLY)).rejects.toMatchObject({ code: "baseline.locked" });
    expect(existsSync(lock)).toBe(true);
  });
});

it("lets one at a time in and leaves nothing behind, also when the work fails", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "f");
  let inside = 0;
  const work = async () => {
    expect(++inside).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => withFileLock(file, work)));
  await expect(withFileLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(readdirSync(folder)).toEqual([]);
});
