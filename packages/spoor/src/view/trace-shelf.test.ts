import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordsOf } from "../../../core/test/build.ts";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { writeAgentlog } from "../formats/agentlog.ts";
import { openTraceShelf } from "./trace-shelf.ts";

const logOf = (...texts: string[]) => writeAgentlog(recordsOf(texts.map((text) => ({ text }))));
const turns = (shelf: { traces: readonly { turns: readonly unknown[] }[] }) =>
  shelf.traces.map((trace) => trace.turns.length);

it("an empty folder is filled later", async () => {
  const folder = temporaryFolder();
  const shelf = await openTraceShelf([folder], {});
  expect([shelf.traces, await shelf.refresh()]).toEqual([[], false]);
  writeFileSync(join(folder, "b.agentlog"), logOf("one"));
  expect(await shelf.refresh()).toBe(true);
  writeFileSync(join(folder, "a.agentlog"), logOf("one", "two"));
  await shelf.refresh();
  // In the order of their names, not of their coming.
  expect(turns(shelf)).toEqual([2, 1]);
  expect(shelf.version).toBe(2);
});

it("a file that grows is read again, also up to the middle of a line", async () => {
  const file = join(temporaryFolder(), "run.agentlog");
  const whole = logOf("one", "two", "three");
  const lines = whole.split("\n");
  writeFileSync(file, `${lines.slice(0, 3).join("\n")}\n`);
  const shelf = await openTraceShelf([file], {});
  expect(turns(shelf)).toEqual([1]);
  const { key } = shelf.traces[0]!;
  appendFileSync(file, `${lines.slice(3, 5).join("\n")}\n${lines[5]!.slice(0, 20)}`);
  await shelf.refresh();
  expect(turns(shelf)).toEqual([2]);
  writeFileSync(file, whole);
  await shelf.refresh();
  expect([turns(shelf), shelf.find(key)?.turns.length]).toEqual([[3], 3]);
});

it("what cannot be read is named with the reason, and what was read of it stays", async () => {
  const folder = temporaryFolder();
  const [good, bad] = ["good.agentlog", "bad.json"].map((name) => join(folder, name));
  writeFileSync(good!, logOf("one"));
  writeFileSync(bad!, "{}");
  const shelf = await openTraceShelf([folder], {});
  expect(turns(shelf)).toEqual([1]);
  expect(shelf.unread.map(({ file }) => file)).toEqual([bad]);
  writeFileSync(good!, "not a trace at all, for a moment");
  await shelf.refresh();
  expect([turns(shelf), shelf.unread.length]).toEqual([[1], 2]);
});

it("a file that is gone is gone, and a glob finds what comes", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep/a.agentlog"), logOf("one"));
  const shelf = await openTraceShelf([join(folder, "**/*.agentlog")], {});
  writeFileSync(join(folder, "deep/b.agentlog"), logOf("one", "two"));
  rmSync(join(folder, "deep/a.agentlog"));
  await shelf.refresh();
  expect(turns(shelf)).toEqual([2]);
});

it("two traces with one name keep keys of their own", async () => {
  const folder = temporaryFolder();
  for (const side of ["one", "two"]) {
    mkdirSync(join(folder, side));
    writeFileSync(join(folder, side, "run.agentlog"), logOf(side));
  }
  const shelf = await openTraceShelf([folder], {});
  expect(new Set(shelf.traces.map(({ key }) => key)).size).toBe(2);
});

it("a path that names nothing is refused at once", async () => {
  await expect(openTraceShelf([join(temporaryFolder(), "nothing")], {})).rejects.toMatchObject({
    code: "input.missing",
  });
});
