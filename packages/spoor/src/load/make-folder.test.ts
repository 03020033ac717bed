import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { makeFolder } from "./make-folder.ts";

it("several writers make the same new folders at once", async () => {
  const root = temporaryFolder();
  for (let round = 0; round < 20; round++) {
    const folders = Array.from({ length: 8 }, (_, index) => join(root, `${round}/a/b`, `c${index % 3}`));
    await Promise.all(folders.map(makeFolder));
    expect(folders.every((folder) => existsSync(folder))).toBe(true);
  }
});
