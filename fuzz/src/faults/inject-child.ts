/**
 * Loaded into a program before its own code (`node --import`): counts its calls that change files below one folder, and at one of them
 * the disk refuses, writes half, or the process is killed. Calls that only look or read are counted apart; at one of those the disk refuses. The
 * program needs no change for it, and no call can be forgotten.
 *
 * SPOOR_FAULT is `NUMBER:KIND`, where kinds of reading begin with `read-`; SPOOR_FAULT_UNDER is the folder, SPOOR_FAULT_COUNT the file that both
 * numbers of calls are written to.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";

type Call = (...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

const under = process.env["SPOOR_FAULT_UNDER"] ?? "";
const [at, kind = ""] = (process.env["SPOOR_FAULT"] ?? "0:").split(":");
const nth = Number(at);
const counted = process.env["SPOOR_FAULT_COUNT"];
const { writeFileSync } = fs;
const handles = new WeakSet<object>();
const descriptors = new Set<number>();
const isReadFault = kind.startsWith("read-");
let calls = 0;
let reads = 0;
let isInside = false;

const WRITES = new Set(["write", "writeFile", "appendFile", "writeSync", "writeFileSync", "appendFileSync"]);
const BY_PATH = ["writeFile", "appendFile", "rename", "link", "unlink", "rm", "mkdir", "truncate", "open"];
const LOOKS = ["open", "readFile", "readdir", "stat", "lstat", "realpath", "opendir", "readlink", "access"];
const BY_HANDLE = ["writeSync", "ftruncateSync", "fsyncSync", "fdatasyncSync"];

for (const name of BY_PATH) {
  wrap(fs.promises as unknown as Calls, name, (args) => changesPath(name, args));
  wrap(fs as unknown as Calls, `${name}Sync`, (args) => changesPath(name, args));
}
for (const name of LOOKS) {
  wrapLook(fs.promises as unknown as Calls, name);
  wrapLook(fs as unknown as Calls, `${name}Sync`);
}
wrapLook(fs as unknown as Calls, "createReadStream");
for (const name of BY_HANDLE) wrap(fs as unknown as Calls, name, ([handle]) => descriptors.has(handle as number));
const handle = await fs.promises.open(process.execPath);
for (const name of ["write", "writeFile", "appendFile", "sync", "datasync", "truncate"])
  wrap(Object.getPrototypeOf(handle) as Calls, name, (_, self) => handles.has(self as object), 0);
await handle.close();
syncBuiltinESMExports();
process.on("exit", () => {
  if (counted !== undefined) writeFileSync(counted, `${calls} ${reads}`);
});

/** An open that only reads changes nothing; a file that is written through a handle was opened by a path. */
function changesPath(name: string, args: unknown[]): boolean {
  if (typeof args[0] === "object" && args[0] !== null) return handles.has(args[0]);
  if (typeof args[0] === "number") return descriptors.has(args[0]);
  return isUnder(args[0]) && (name !== "open" || opensForWriting(args[1]));
}

function isUnder(named: unknown): boolean {
  if (typeof named !== "string" && !(named instanceof URL)) return false;
  const path = resolve(typeof named === "string" ? named : named.pathname);
  return path === under || path.startsWith(under + sep);
}

/** A look that is refused; one that opens for writing is no look. */
function wrapLook(holder: Calls, name: string): void {
  const original = holder[name];
  if (original === undefined) return;
  holder[name] = function (this: unknown, ...args: unknown[]) {
    const isLook = !isInside && isUnder(args[0]) && !(name.startsWith("open") && opensForWriting(args[1]));
    if (!isLook || ++reads !== nth || !isReadFault) return original.apply(this, args);
    const code = kind.slice("read-".length);
    if (name === "createReadStream") return refusedStream(original.apply(this, args), code);
    return name.endsWith("Sync") ? fail(code, name, args) : new Promise(() => fail(code, name, args));
  };
  // Some have a faster form of their own, which callers may ask for.
  Object.assign(holder[name], original);
}

function refusedStream(stream: unknown, code: string): unknown {
  (stream as { destroy(error: Error): void }).destroy(refusal(code, "read", undefined));
  return stream;
}

function opensForWriting(flags: unknown): boolean {
  if (typeof flags === "number") return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
  return typeof flags === "string" && flags !== "r";
}

function wrap(
  holder: Calls,
  name: string,
  isOurs: (args: unknown[], self: unknown) => boolean,
  place: 0 | 1 = 1,
): void {
  const original = holder[name];
  if (original === undefined) return;
  holder[name] = function (this: unknown, ...args: unknown[]) {
    if (isInside || !isOurs(args, this)) return original.apply(this, args);
    const isAsync = !name.endsWith("Sync");
    const run = (given: unknown[]) => within(() => original.apply(this, given));
    if (++calls !== nth || isReadFault) return remember(run(args));
    if (kind === "kill-before") die();
    if (kind === "kill-after") return then(run(args), die);
    const half = WRITES.has(name) ? halved(name, args, place) : undefined;
    if (kind === "kill-half" || kind === "short") {
      if (half === undefined) return kind === "short" ? remember(run(args)) : die();
      const after = kind === "short" ? () => fail("ENOSPC", name, args) : die;
      return then(run(half), after);
    }
    return isAsync ? new Promise(() => fail(kind, name, args)) : fail(kind, name, args);
  };
}

function then(done: unknown, next: () => never): unknown {
  return done instanceof Promise ? done.then(next, next) : next();
}

/** What a call of ours does inside is not counted again. */
function within(run: () => unknown): unknown {
  isInside = true;
  try {
    return run();
  } finally {
    isInside = false;
  }
}

function remember(opened: unknown): unknown {
  if (typeof opened === "number") descriptors.add(opened);
  if (!(opened instanceof Promise)) return opened;
  return opened.then((value: unknown) => {
    if (typeof value === "object" && value !== null) handles.add(value);
    return value;
  });
}

/** The same call with half of its bytes, at the same place; a handle's own methods have them first. */
function halved(name: string, args: unknown[], place: 0 | 1): unknown[] | undefined {
  const data = args[place];
  if (typeof data !== "string" && !(data instanceof Uint8Array)) return undefined;
  const part = typeof data === "string" ? data.slice(0, data.length >> 1) : data.subarray(0, data.length >> 1);
  const isPiece = name.startsWith("write") && !name.startsWith("writeFile") && typeof data !== "string";
  const [offset, length] = [args[place + 1], args[place + 2]];
  if (!isPiece || typeof offset !== "number") return args.with(place, part);
  const whole = typeof length === "number" ? length : data.length - offset;
  return [...args.slice(0, place), data, offset, whole >> 1, ...args.slice(place + 3)];
}

function fail(code: string, name: string, args: unknown[]): never {
  throw refusal(code, name.replace(/Sync$/, ""), typeof args[0] === "string" ? args[0] : undefined);
}

function refusal(code: string, syscall: string, path: string | undefined): Error {
  return Object.assign(new Error(`${code}: injected, ${syscall} '${path ?? ""}'`), { code, syscall, errno: -5, path });
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  // Until the signal arrives nothing more may happen.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}
