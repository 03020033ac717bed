import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeFileAtomically } from "./write-file.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function makePipe(path: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
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

it("writes what a link names, and leaves the link: to a file, to one that is not there yet, over several links", async () => {
  const place = folder();
  mkdirSync(join(place, "kept"));
  writeFileSync(join(place, "kept", "old.json"), "old");
  symlinkSync(join("kept", "old.json"), join(place, "first"));
  symlinkSync("first", join(place, "second"));
  symlinkSync(join("kept", "new.json"), join(place, "dangling"));
  await writeFileAtomically(join(place, "second"), "a");
  await writeFileAtomically(join(place, "dangling"), "b");
  expect(readFileSync(join(place, "kept", "old.json"), "utf8")).toBe("a");
  expect(readFileSync(join(place, "kept", "new.json"), "utf8")).toBe("b");
  for (const name of ["first", "second", "dangling"]) expect(lstatSync(join(place, name)).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(place, "kept")).sort()).toEqual(["new.json", "old.json"]);
});

it("keeps who may read a file", async () => {
  const file = join(folder(), "report.json");
  writeFileSync(file, "", { mode: 0o600 });
  await writeFileAtomically(file, "{}");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("refuses a folder, a socket, a circle of links and a pipe that nobody reads, in words", async () => {
  const place = folder();
  mkdirSync(join(place, "folder"));
  symlinkSync("folder", join(place, "to-folder"));
  symlinkSync("circle", join(place, "circle"));
  makePipe(join(place, "pipe"));
  const server = createServer().listen(join(place, "socket"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  for (const [name, words] of [
    ["folder", /is a folder/],
    ["to-folder", /is a folder/],
    ["socket", /is a socket/],
    ["circle", /circle|symbolic links/],
    ["pipe", /pipe that nobody reads/],
  ] as const) {
    const refused = writeFileAtomically(join(place, name), "{}");
    await expect(refused, name).rejects.toMatchObject({ code: "output.unwritable" });
    await expect(refused, name).rejects.toThrow(words);
  }
  expect(readdirSync(place).sort()).toEqual(["circle", "folder", "pipe", "socket", "to-folder"]);
});

it("writes into a pipe that somebody reads, and the pipe stays", async () => {
  const pipe = join(folder(), "pipe");
  makePipe(pipe);
  // Opened for both, so that neither end waits for the other.
  const both = openSync(pipe, constants.O_RDWR);
  onTestFinished(() => closeSync(both));
  await writeFileAtomically(pipe, "through");
  const heard = Buffer.alloc(20);
  expect(heard.toString("utf8", 0, readSync(both, heard))).toBe("through");
  expect(statSync(pipe).isFIFO()).toBe(true);
});

it("writes to a device as it is: /dev/null stays one, also behind a link", async () => {
  const link = join(folder(), "null.json");
  symlinkSync("/dev/null", link);
  await writeFileAtomically(link, "{}");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

it.skipIf(!existsSync("/dev/full"))("says that the disk is full (needs /dev/full)", async () => {
  const refused = writeFileAtomically("/dev/full", "{}");
  await expect(refused).rejects.toMatchObject({ code: "output.unwritable", hint: expect.stringContaining("space") });
  await expect(refused).rejects.toThrow("the disk is full");
  expect(statSync("/dev/full").isCharacterDevice()).toBe(true);
});
