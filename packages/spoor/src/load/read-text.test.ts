import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { openInput } from "./input.ts";
import { readText, readWholeBytes, readWholeText, readWholeTextIfThere } from "./read-text.ts";

const fail = (why: string, cause: unknown) => new SpoorError("policy.unreadable", why, { cause });
const read = (path: string, most?: number) => readText(path, fail, most);

it("reads a file, also one that is empty and one that says it is", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), "rules: []\n");
  writeFileSync(join(folder, "empty"), "");
  expect(read(join(folder, "a"))).toBe("rules: []\n");
  expect(read(join(folder, "empty"))).toBe("");
  if (process.platform === "linux") expect(read("/proc/self/cmdline")).toContain("node");
});

it("without words of its own an error names the file", () => {
  const file = join(temporaryFolder(), "a");
  expect(readWholeTextIfThere(file)).toBeUndefined();
  writeFileSync(file, "12345");
  expect(readWholeText(file)).toBe("12345");
  expect(readWholeBytes(file)).toEqual(Buffer.from("12345"));
  const named = expect.objectContaining({ code: "input.unreadable", at: { file } });
  for (const reader of [readWholeText, readWholeTextIfThere, readWholeBytes])
    expect(() => reader(file, 4)).toThrow(named);
});

describe.skipIf(process.platform === "win32")("what is no file is refused in words", () => {
  it("a folder, a circle of links, a name that is too long, nothing at all", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "folder"));
    symlinkSync("b", join(folder, "a"));
    symlinkSync("a", join(folder, "b"));
    expect(() => read(join(folder, "folder"))).toThrow(/^is a folder, not a file$/);
    expect(() => read(join(folder, "a"))).toThrow(/^is a link that leads in a circle$/);
    expect(() => read(join(folder, "x".repeat(300)))).toThrow(/^has a name longer than a file can have$/);
    expect(() => read(join(folder, "none"))).toThrow(/^does not exist$/);
    expect(() => read(`${join(folder, "a")}\0`)).toThrow(/^holds a zero byte in its name/);
  });

  it("a socket", async () => {
    const socket = join(temporaryFolder(), "s");
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    expect(() => read(socket)).toThrow(/^is a socket/);
  });

  it("a device that never ends, and a file that is too large", () => {
    const file = join(temporaryFolder(), "large");
    writeFileSync(file, "x".repeat(2 * 1024 ** 2 + 1));
    expect(() => read("/dev/zero", 2 * 1024 ** 2)).toThrow(/^is larger than 2 MiB, and is not read$/);
    expect(() => read(file, 2 * 1024 ** 2)).toThrow(/^is larger than 2 MiB, and is not read$/);
    expect(read(file, 3 * 1024 ** 2)).toHaveLength(2 * 1024 ** 2 + 1);
  });
});

describe.skipIf(process.platform === "win32")("pipes", () => {
  const pipe = (): string => {
    const path = join(temporaryFolder(), "pipe");
    execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    return path;
  };
  const write = (path: string, command: string): void => {
    const child = spawn("sh", ["-c", `${command} > "$0"`, path], { stdio: "ignore" });
    onTestFinished(() => void child.kill());
  };

  it("that somebody fills are read to the end", () => {
    const path = pipe();
    write(path, "{ printf abc; sleep 0.1; printf def; }");
    // The writer may not have been started yet; a loaded machine may take longer than the patience of one look.
    const text = untilRead(path);
    expect(text).toBe("abcdef");
  });

  it("that nobody fills are refused", () => {
    expect(() => read(pipe())).toThrow(/^is a pipe that nobody writes to$/);
  });

  it("are read as traces in the same way", async () => {
    const path = pipe();
    const { chunks } = openInput(path, { lenient: false });
    await expect(async () => {
      for await (const _ of chunks);
    }).rejects.toThrow(/is a pipe that nobody writes to/);
  });
});

function untilRead(path: string): string {
  for (let looks = 0; looks < 20; looks++) {
    try {
      return read(path);
    } catch (error) {
      if (!/nobody writes/.test((error as Error).message)) throw error;
    }
  }
  throw new Error("the writer never came");
}
