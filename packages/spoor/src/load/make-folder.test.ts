import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
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
