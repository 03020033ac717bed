import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeFileAtomically } from "./write-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("makes the folders it needs", async () => {
  const file = join(folder(), "a", "b", "report.json");
  await writeFileAtomically(file, "{}");
  expect(readFileSync(file, "utf8")).toBe("{}");
});

it("names a file in the way of a folder, and leaves nothing behind", async () => {
  const place = folder();
  writeFileSync(join(place, "taken"), "");
  const target = join(place, "taken", "report.json");
  await expect(writeFileAtomically(target, "{}")).rejects.toMatchObject({ code: "output.unwritable" });
  expect(readdirSync(place)).toEqual(["taken"]);
});

it.skipIf(!existsSync("/proc/self"))("gives up where no folder can be made (needs /proc)", async () => {
  const target = "/proc/spoor-test/report.json";
  await expect(writeFileAtomically(target, "{}")).rejects.toMatchObject({ code: "output.unwritable" });
});
