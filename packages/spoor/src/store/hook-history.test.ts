import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { type HookEntry, openHookHistory } from "./hook-history.ts";

const begin: HookEntry = { kind: "begin", policy: "p", root: "/", unseen: [] };
const call = (id: string): HookEntry => ({
  kind: "call",
  id,
  name: "Bash",
  input: "ls 😀",
  at: "2026-01-01T00:00:00Z",
});

function open() {
  const history = openHookHistory(temporaryFolder(), { session: "s", project: undefined, policy: "p" }, new Date(0));
  const add = (...append: HookEntry[]) => history.update(async (entries) => ({ result: entries.length, append }));
  return { ...history, add };
}

describe("a history whose last writer was killed, or met a full disk", () => {
  it.each([
    ["in the middle of a line", '{"kind":"call","id":"2","na'],
    ["in the middle of a character", Buffer.from('{"kind":"call","name":"😀').subarray(0, -2)],
    ["after a text that is JSON and no entry", "7"],
  ])("%s goes on without that line", async (_, torn) => {
    const { file, add } = open();
    await add(begin, call("1"));
    appendFileSync(file, torn);
    expect(await add(call("3"))).toBe(2);
    expect(await add()).toBe(3);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(3);
  });

  it("before the end of a line keeps the line", async () => {
    const { file, add } = open();
    await add(begin, call("1"));
    truncateSync(file, readFileSync(file).length - 1);
    expect(await add(call("2"))).toBe(2);
    expect(await add()).toBe(3);
  });

  it("in its first line has not begun", async () => {
    const history = open();
    await history.add();
    writeFileSync(history.file, '{"kind":"beg');
    expect(await history.begin()).toBeUndefined();
    expect(await history.add(begin)).toBe(0);
    expect(await history.begin()).toEqual(begin);
  });

  it("is refused when a line in the middle is damaged: that is no crash", async () => {
    const { file, add } = open();
    await add(begin, call("1"));
    writeFileSync(file, readFileSync(file, "utf8").replace('"call"', '"ca'));
    await expect(add(call("2"))).rejects.toMatchObject({ code: "hook.bad-history" });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
