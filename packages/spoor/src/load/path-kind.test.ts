import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { pathKind } from "./path-kind.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-kind-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("says what stands at a path, and nothing of what cannot be looked at", () => {
  const file = join(folder, "a");
  writeFileSync(file, "");
  symlinkSync(file, join(folder, "link"));
  symlinkSync("circle", join(folder, "circle"));
  expect([folder, file, join(folder, "link"), "/dev/null"].map(pathKind)).toEqual(["folder", "file", "file", "other"]);
  const none = ["no-such-file", "circle", "a/below", "x".repeat(5000), `${"y/".repeat(3000)}z`, "nul\0"];
  expect(none.map((name) => pathKind(join(folder, name)))).toEqual(none.map(() => undefined));
});
