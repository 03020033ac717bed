import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { batchesOf, paysInThreads } from "./batches.ts";

function filesOf(...sizes: number[]): string[] {
  const folder = temporaryFolder();
  return sizes.map((size, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, Buffer.alloc(size));
    return file;
  });
}

describe("batchesOf", () => {
  it("puts small files together and leaves large ones alone, in their order", () => {
    const files = filesOf(10, 10, 900_000, 10, 300_000, 300_000, 10);
    const names = batchesOf(files).map((batch) => batch.map((file) => files.indexOf(file)));
    expect(names).toEqual([[0, 1], [2], [3, 4], [5, 6]]);
  });

  it("leaves out no file, not even one that is not there", () => {
    const files = [...filesOf(10), "/nowhere/at-all.json", ...filesOf(10)];
    expect(batchesOf(files).flat()).toEqual(files);
  });
});

describe("paysInThreads", () => {
  it.each<[string, number[], boolean]>([
    ["one file, however large", [30_000_000], false],
    ["a large file with little beside it", [30_000_000, 1000, 1000], false],
    ["two large files", [13_000_000, 13_000_000], true],
    ["a few small files", Array.from({ length: 50 }, () => 2000), false],
  ])("%s: %#", (_name, sizes, pays) => {
    expect(paysInThreads(filesOf(...sizes))).toBe(pays);
  });

  it("never with standard input, which only one thread has", () => {
    expect(paysInThreads(["-", ...filesOf(13_000_000, 13_000_000)])).toBe(false);
  });
});
