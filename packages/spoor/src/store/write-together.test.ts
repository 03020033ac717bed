import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { finishTogether, writeTogether } from "./write-together.ts";

function folderWith(files: Record<string, string>): { at: (file: string) => string; state: () => string[] } {
  const folder = temporaryFolder();
  const at = (file: string) => join(folder, file);
  for (const [file, text] of Object.entries(files)) writeFileSync(at(file), text);
  return {
    at,
    state: () =>
      readdirSync(folder)
        .sort()
        .map((file) => `${file}: ${readFileSync(at(file), "utf8").trim()}`),
  };
}

describe("files written together", () => {
  it("are all new, also in folders that were not there, and nothing is left over", async () => {
    const { at } = folderWith({ a: "old", gone: "old" });
    await writeTogether(at("journal"), [
      { file: at("a"), content: "new" },
      { file: at("deep/er/b"), content: new TextEncoder().encode("new") },
      { file: at("gone"), remove: true },
    ]);
    expect([readFileSync(at("a"), "utf8"), readFileSync(at("deep/er/b"), "utf8"), existsSync(at("gone"))]).toEqual([
      "new",
      "new",
      false,
    ]);
    expect([readdirSync(at("deep/er")), existsSync(at("journal"))]).toEqual([["b"], false]);
  });

  it("are all old when one cannot be written", async () => {
    const { at, state } = folderWith({ a: "old", file: "no folder" });
    const before = state();
    const act = writeTogether(at("journal"), [
      { file: at("a"), content: "new" },
      { file: at("file/b"), content: "new" },
    ]);
    await expect(act).rejects.toThrow("cannot be written");
    expect(state()).toEqual(before);
  });

  it.each([
    ["before the first rename", (at: (file: string) => string) => [at(".a.tmp"), at(".b.tmp")]],
    ["between the renames", (at: (file: string) => string) => [at(".b.tmp")]],
    ["after the last", () => []],
  ])("are finished when the writer died %s", async (_when, left) => {
    const { at, state } = folderWith({ a: "old", b: "old", gone: "old" });
    for (const file of left(at)) writeFileSync(file, "new");
    for (const file of ["a", "b"]) if (!left(at).includes(at(`.${file}.tmp`))) writeFileSync(at(file), "new");
    const renames = ["a", "b"].map((name) => {
      const [from, to] = [`.${name}.tmp`, name];
      return { from, to, file: numberOf(at(existsSync(at(from)) ? from : to)) };
    });
    writeFileSync(at("journal"), JSON.stringify({ renames, removes: ["gone"] }));
    expect(await finishTogether(at("journal"))).toBe(true);
    expect(state()).toEqual(["a: new", "b: new"]);
    expect(await finishTogether(at("journal"))).toBe(false);
  });

  it("name a journal that cannot be finished, and keep it", async () => {
    const { at } = folderWith({ ".a.tmp": "new" });
    mkdirSync(at("a"));
    writeFileSync(join(at("a"), "inside"), "x");
    const renames = [{ from: ".a.tmp", to: "a", file: numberOf(at(".a.tmp")) }];
    writeFileSync(at("journal"), JSON.stringify({ renames, removes: [] }));
    await expect(finishTogether(at("journal"))).rejects.toThrow("only partly written");
    expect(existsSync(at("journal"))).toBe(true);
  });

  it.each([
    ["no JSON", "{"],
    ["no journal", "[]"],
    ["one that only deletes", '{"renames":[],"removes":["kept"]}'],
    ["paths of another kind", '{"renames":[{"from":7,"to":"kept","file":"1"}],"removes":[]}'],
    ["drafts that a branch brought", '{"renames":[{"from":"evil","to":"kept","file":"1"}],"removes":["kept"]}'],
    ["a draft without its number", '{"renames":[{"from":"evil","to":"kept"}],"removes":["kept"]}'],
    ["a NUL in a path", '{"renames":[{"from":"evil\\u0000","to":"kept","file":"1"}],"removes":[]}'],
  ])("obey no journal that is not theirs: %s", async (_what, journal) => {
    const { at, state } = folderWith({ journal, kept: "mine", evil: "theirs" });
    const before = state();
    await expect(finishTogether(at("journal"))).rejects.toMatchObject({
      code: "accept.unfinished",
      message: expect.stringContaining("is not what Spoor noted here"),
    });
    expect(state()).toEqual(before);
  });
});

const numberOf = (path: string) => String(statSync(path, { bigint: true }).ino);
