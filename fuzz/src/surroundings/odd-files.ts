/** What a path may turn out to be instead of the file that was meant. Large ones cost no room: holes, links, packed nothing. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { constants, deflateRawSync, gzipSync } from "node:zlib";

export interface OddFile {
  readonly name: string;
  /** Puts it where a file, a folder or nothing was. */
  put(path: string): void;
  /** Reading far into it takes a while. */
  readonly isLarge?: true;
  /** It is to be opened again before it can be looked at. */
  readonly isForbidden?: true;
}

const GIB = 1024 ** 3;
const LINE_BYTES = 300 * 1024 ** 2;

/** For a file that is read. `scratch` holds what is large and only linked to. */
export function oddInputs(scratch: string): readonly OddFile[] {
  const linked = (name: string, make: (file: string) => void): OddFile["put"] => {
    const file = join(scratch, name);
    let isMade = false;
    return (path) => {
      if (!isMade) make(file);
      isMade = true;
      replace(path, () => symlinkSync(file, path));
    };
  };
  return [
    odd("nothing at all", (path) => replace(path, () => undefined)),
    odd("an empty file", (path) => replace(path, () => writeFileSync(path, ""))),
    odd("a link that leads nowhere", (path) => replace(path, () => symlinkSync("nowhere", path))),
    ...oddPlaces(),
    large("a device without an end", (path) => replace(path, () => symlinkSync("/dev/zero", path))),
    large(
      "2 GB of nothing",
      linked("2gb", (file) => hole(file, 2 * GIB)),
    ),
    large("more than 2 GiB that begin well", (path) => {
      if (statSync(path, { throwIfNoEntry: false })?.isFile()) truncateSync(path, 2 * GIB + 4_096);
      else replace(path, () => hole(path, 2 * GIB + 4_096));
    }),
    large("a line of 300 MB", linked("line", longLine)),
    large("a gzip bomb", linked("bomb.gz", gzipBomb)),
    large("a zip bomb", linked("bomb.zip", zipBomb)),
  ];
}

/** For a file that is written. */
export function oddOutputs(): readonly OddFile[] {
  return [
    ...oddPlaces(),
    odd("a full device", (path) => replace(path, () => symlinkSync("/dev/full", path))),
    odd("a link into a folder that cannot be", (path) => replace(path, () => symlinkSync("/proc/none/x", path))),
    odd("below a file", (path) => {
      const parent = dirname(path);
      if (statSync(parent, { throwIfNoEntry: false }) === undefined) writeFileSync(parent, "");
    }),
  ];
}

function oddPlaces(): OddFile[] {
  return [
    odd("a folder", (path) => replace(path, () => mkdirSync(path))),
    odd("a pipe that nobody serves", (path) => replace(path, () => execFileSync("mkfifo", [path]))),
    odd("a socket", (path) => replace(path, () => socketAt(path))),
    odd("a circle of links", (path) => replace(path, () => symlinkSync(path, path))),
  ];
}

/** For a process that is not root: a file that it may not read, or not write, and folders like that. */
export function forbiddenFiles(): readonly OddFile[] {
  return [
    {
      ...odd("a file that may not be read", (path) => {
        if (statSync(path, { throwIfNoEntry: false }) === undefined) writeFileSync(path, "x");
        chmodSync(path, 0);
      }),
      isForbidden: true,
    },
  ];
}

function odd(name: string, put: OddFile["put"]): OddFile {
  return { name, put };
}

function large(name: string, put: OddFile["put"]): OddFile {
  return { name, put, isLarge: true };
}

function replace(path: string, make: () => unknown): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  make();
}

/** Its process ends without a word, or it would take the socket with it. */
function socketAt(path: string): void {
  const listen = `require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", listen, path]);
}

function hole(file: string, bytes: number): void {
  const handle = openSync(file, "w");
  ftruncateSync(handle, bytes);
  closeSync(handle);
}

function longLine(file: string): void {
  const handle = openSync(file, "w");
  writeSync(handle, '{"version":"0.1","kind":"metadata","payload":"');
  const piece = Buffer.alloc(1024 ** 2, 0x61);
  for (let written = 0; written < LINE_BYTES; written += piece.length) writeSync(handle, piece);
  closeSync(handle);
}

const NOTHING = Buffer.alloc(64 * 1024 ** 2, 0x20);

/** Members one after the other, which unpack to 3 GiB of blanks after a line that looks well. */
function gzipBomb(file: string): void {
  const member = gzipSync(NOTHING);
  writeFileSync(file, Buffer.concat([gzipSync("[\n"), ...Array.from({ length: 48 }, () => member)]));
}

/** One entry that unpacks to 3 GiB. */
function zipBomb(file: string): void {
  const piece = deflateRawSync(NOTHING, { finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([...Array.from({ length: 48 }, () => piece), deflateRawSync("")]);
  const name = Buffer.from("header.json");
  const size = 3 * GIB;
  const fields = (signature: number, central: boolean): Buffer => {
    const head = Buffer.alloc(central ? 46 : 30);
    head.writeUInt32LE(signature, 0);
    const at = central ? 6 : 4;
    head.writeUInt16LE(20, at);
    head.writeUInt16LE(8, at + 4);
    head.writeUInt32LE(packed.length, at + 14);
    head.writeUInt32LE(size >>> 0, at + 18);
    head.writeUInt16LE(name.length, at + 22);
    return head;
  };
  const local = Buffer.concat([fields(0x04034b50, false), name, packed]);
  const central = Buffer.concat([fields(0x02014b50, true), name]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  writeFileSync(file, Buffer.concat([local, central, end]));
}
