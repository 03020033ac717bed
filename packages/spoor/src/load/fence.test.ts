import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { describe, expect, it, onTestFinished } from "vitest";
import { withinFence } from "./fence.ts";
import { findFiles } from "./find-files.ts";
import { importModule } from "./import-module.ts";
import { loadTraces } from "./load-traces.ts";
import { readText } from "./read-text.ts";

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "spoor-fence-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  mkdirSync(root);
  writeFileSync(join(folder, "secret.json"), "outside");
  writeFileSync(join(root, "inside.json"), "inside");
  const fence = { roots: [root], mostBytes: 1000 };
  const read = (path: string) =>
    withinFence(fence, () => readText(path, (why) => new SpoorError("input.unreadable", why)));
  const refusal = (path: string) => {
    try {
      return read(path);
    } catch (error) {
      return `${(error as SpoorError).code}: ${(error as SpoorError).message.replaceAll(folder, "…")}`;
    }
  };
  return { folder, root, fence, read, refusal };
}

const outside = (path: string) => `mcp.refused: ${path} lies outside the folders that may be read.`;

describe("a fence", () => {
  it("lets ordinary files below its roots be read, also through a link that stays inside", () => {
    const { root, read } = place();
    symlinkSync(join(root, "inside.json"), join(root, "again.json"));
    expect([read(join(root, "inside.json")), read(join(root, "again.json"))]).toEqual(["inside", "inside"]);
  });

  it("refuses every way out, whether or not there is anything", () => {
    const { folder, root, refusal } = place();
    symlinkSync(join(folder, "secret.json"), join(root, "link.json"));
    symlinkSync(folder, join(root, "up"));
    for (const path of [
      join(folder, "secret.json"),
      `${root}/../secret.json`,
      join(root, "link.json"),
      join(root, "up", "secret.json"),
      join(root, "up", "not-there.json"),
      join(folder, "not-there.json"),
      `${root}-beside`,
      "/etc/passwd",
      "/proc/self/environ",
    ])
      expect(refusal(path)).toBe(outside(path.replaceAll(folder, "…")));
  });

  it("reads no hidden files, but those of .spoor", () => {
    const { root, read, refusal } = place();
    for (const name of [".git", ".spoor", ".ssh"]) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "file"), name);
    }
    writeFileSync(join(root, ".env"), "KEY=1");
    expect(read(join(root, ".spoor", "file"))).toBe(".spoor");
    for (const path of [".git/file", ".ssh/file", ".env"])
      expect(refusal(join(root, path))).toMatch(/hidden files are not read\.$/);
  });

  it("reads nothing but files, and never waits for one", () => {
    const { root, refusal } = place();
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("/dev/zero", join(root, "zero"));
    writeFileSync(join(root, "large"), "x".repeat(1001));
    expect(refusal(join(root, "pipe"))).toMatch(/is no ordinary file\.$/);
    expect(refusal(join(root, "zero"))).toMatch(/lies outside/);
    expect(refusal(join(root, "large"))).toMatch(/is larger than 0 MiB\.$/);
    expect(refusal(root)).toBe("input.unreadable: is a folder, not a file");
  });

  it("holds for traces, folders and patterns", async () => {
    const { folder, root, fence } = place();
    symlinkSync(join(folder, "secret.json"), join(root, "b.json"));
    const refused = { code: "mcp.refused" };
    await expect(withinFence(fence, () => loadTraces([join(root, "b.json")]))).rejects.toMatchObject(refused);
    await expect(withinFence(fence, () => loadTraces([folder]))).rejects.toMatchObject(refused);
    expect(() => withinFence(fence, () => findFiles(join(folder, "*.json")))).toThrow(/outside/);
    expect(() => withinFence(fence, () => findFiles("/etc/*"))).toThrow(/outside/);
  });

  it("runs no module of the user's", async () => {
    const { root, fence } = place();
    writeFileSync(join(root, "config.mjs"), "globalThis.ran = true;");
    await expect(withinFence(fence, () => importModule(join(root, "config.mjs")))).rejects.toMatchObject({
      code: "mcp.refused",
    });
    expect("ran" in globalThis).toBe(false);
  });

  it("shows a text that came with the question under its name", () => {
    const { root, fence } = place();
    const path = join(root, "policy_text.yaml");
    const given = new Map([[path, "rules: []"]]);
    const read = () => readText(path, (why) => new SpoorError("input.unreadable", why));
    expect(withinFence({ ...fence, given }, read)).toBe("rules: []");
  });

  it("never reads what a file is exchanged for while it is opened", async () => {
    const { folder, root, refusal } = place();
    const path = join(root, "moving.json");
    writeFileSync(path, "inside");
    // Now the file itself, now a link out of the fence, as fast as the system can.
    const swap = `const fs = require("fs"), [a, b, out] = process.argv.slice(1);
      for (;;) { try { fs.symlinkSync(out, b); fs.renameSync(b, a); fs.writeFileSync(b, "inside"); fs.renameSync(b, a); } catch {} }`;
    const swapper = spawn(process.execPath, ["-e", swap, path, `${path}.next`, join(folder, "secret.json")]);
    onTestFinished(() => void swapper.kill("SIGKILL"));
    const seen = new Set<string>();
    for (let round = 0; round < 3000; round++) seen.add(refusal(path).split(":")[0]!);
    expect(seen).not.toContain("outside");
    expect([...seen].every((what) => ["inside", "mcp.refused", "input.unreadable"].includes(what))).toBe(true);
  });
});
