import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { describe, expect, it, onTestFinished } from "vitest";
import { findConfig } from "../config/load-config.ts";
import { withinFence } from "./fence.ts";
import { findFiles } from "./find-files.ts";
import { importModule } from "./import-module.ts";
import { loadTraces } from "./load-traces.ts";
import { pathKind } from "./path-kind.ts";
import { readText } from "./read-text.ts";
import { readTraceValue } from "./read-trace.ts";
import { findSide, separateSides } from "./separate-sides.ts";

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

  it("around runs that lie in no file opens none, and tells of none", async () => {
    const { root } = place();
    const trace = readTraceValue([{ role: "assistant", content: "hello" }]);
    const runs = {
      named: new Map([["shop@v1", ["a", "b"]]]),
      traces: new Map([
        ["a", trace],
        ["b", trace],
      ]),
    };
    const fence = { roots: [root], mostBytes: 1000, runs };
    expect(await withinFence(fence, () => loadTraces(["shop@v1", "a"]))).toHaveLength(3);
    const sides = () => separateSides([findSide(["shop@v1"]), findSide(["b"])]);
    expect(withinFence(fence, sides)).toEqual({ files: [["a"], ["b"]], takenOut: [{ from: "shop@v1", files: 1 }] });
    expect(() => withinFence(fence, () => separateSides([findSide(["a"]), findSide(["a"])]))).toThrow(/both sides/);
    const inside = join(root, "inside.json");
    await expect(withinFence(fence, () => loadTraces([inside]))).rejects.toMatchObject({ code: "mcp.refused" });
    expect([pathKind(inside), withinFence(fence, () => pathKind(inside))]).toEqual(["file", undefined]);
  });

  it("ends the search for a configuration where it stands", () => {
    const { folder, root, fence } = place();
    mkdirSync(join(root, "below"));
    writeFileSync(join(folder, "spoor.config.yaml"), "noun: ticket\n");
    const found = () => findConfig(join(root, "below"));
    expect(found()).toBe("../../spoor.config.yaml");
    expect(withinFence(fence, found)).toBeUndefined();
    writeFileSync(join(root, "spoor.config.yaml"), "noun: ticket\n");
    expect(withinFence(fence, found)).toBe("../spoor.config.yaml");
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
