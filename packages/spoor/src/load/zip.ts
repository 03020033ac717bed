/**
 * The files inside a zip, read in memory one at a time: nothing is written to disk, no name of an entry is taken for a path.
 * What an entry says about its size is a promise that unpacking holds it to, and all that is unpacked of one file together
 * stays below a limit, so that a small file cannot fill the memory.
 */
import * as zlib from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Unzstd } from "./unpack-zstd.ts";

export interface Zip {
  /** In the order of the directory; of entries with one name the last counts. */
  readonly names: readonly string[];
  read(name: string): Buffer;
}

interface Entry {
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Where its own header begins. */
  readonly offset: number;
}

const MAX_UNPACKED = 1024 ** 3;
const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;
/** A size or place that stands in the longer record beside this one. */
const ELSEWHERE = 0xffff_ffff;

export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
  );
}

/** `unzstd` unpacks what today's writers pack with zstd (unpack-zstd.ts); without it such an entry is refused. */
export function openZip(file: string, bytes: Buffer, unzstd?: Unzstd, most = MAX_UNPACKED): Zip {
  const entries = reading(file, () => readDirectory(bytes));
  let unpacked = 0;
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw badZip(file, `it has no entry ${name}`);
      unpacked += entry.size;
      if (unpacked > most) {
        throw new SpoorError("trace.too-large", `${file} holds more than ${inWords(most)} when unpacked.`, {
          at: { file },
          consequence: "Nothing of it was used.",
          hint: "Split it, or read its parts one by one.",
        });
      }
      if (entry.encrypted) throw badZip(file, `${name} is encrypted`);
      const content = reading(file, () => unpack(file, bytes, entry, unzstd));
      if (content.length !== entry.size || zlib.crc32(content) !== entry.crc) {
        throw badZip(file, `${name} is not what the directory says it is`);
      }
      return content;
    },
  };
}

/** Whether some entry is packed with zstd, so that its unpacker is loaded only then. */
export function holdsZstd(file: string, bytes: Buffer): boolean {
  return [...reading(file, () => readDirectory(bytes)).values()].some((entry) => entry.method === ZSTD);
}

/** The directory stands at the end, before a comment of at most 64 KiB. */
function readDirectory(bytes: Buffer): Map<string, Entry> {
  const end = bytes.lastIndexOf("PK\u0005\u0006", bytes.length - 22, "latin1");
  if (end < 0 || end < bytes.length - 22 - 0xffff) throw new RangeError("it has no directory at its end");
  let count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count === 0xffff || at === ELSEWHERE) {
    if (bytes.readUInt32LE(end - 20) !== 0x07064b50) throw new RangeError("its directory is damaged");
    const long = Number(bytes.readBigUInt64LE(end - 12));
    count = Number(bytes.readBigUInt64LE(long + 32));
    at = Number(bytes.readBigUInt64LE(long + 48));
  }
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new RangeError("its directory is damaged");
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const [size, packed, offset] = longNumbers(
      [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)],
      bytes.subarray(nameEnd, extraEnd),
    );
    const name = bytes.toString("utf8", at + 46, nameEnd);
    const method = bytes.readUInt16LE(at + 10);
    const encrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
    // Entries that are written anew are appended; the older one must not win.
    entries.delete(name);
    entries.set(name, {
      method,
      encrypted,
      crc: bytes.readUInt32LE(at + 16),
      packed: packed!,
      size: size!,
      offset: offset!,
    });
    at = extraEnd + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Numbers beyond 4 GiB stand in an extra field, in this order and only those that do not fit. */
function longNumbers(numbers: readonly number[], extra: Buffer): readonly number[] {
  if (!numbers.includes(ELSEWHERE)) return numbers;
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return numbers.map((number) => {
    if (number !== ELSEWHERE) return number;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  });
}

function unpack(file: string, bytes: Buffer, entry: Entry, unzstd: Unzstd | undefined): Buffer {
  const { offset, size } = entry;
  if (bytes.readUInt32LE(offset) !== 0x04034b50) throw new RangeError("an entry is not where the directory says");
  const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(from, from + entry.packed);
  if (packed.length < entry.packed) throw new RangeError("it ends early");
  if (entry.method === STORED) return packed;
  if (entry.method === DEFLATED) return zlib.inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  if (entry.method === ZSTD) return unzstd === undefined ? refuseZstd(file) : unzstd(packed, size);
  throw new RangeError(`an entry is packed by method ${entry.method}, which is not known`);
}

function refuseZstd(file: string): never {
  throw new SpoorError(
    "trace.needs-newer-node",
    `${file} is packed with zstd, which Node ${process.versions.node} cannot unpack without the package fzstd.`,
    {
      at: { file },
      consequence: "Nothing of it was used.",
      hint: `Use Node 22.15 or newer, or install fzstd; or write it as JSON: inspect log convert --to json --output-dir json ${file}`,
    },
  );
}

function reading<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ERR_BUFFER_TOO_LARGE") throw badZip(file, "an entry is larger than the directory says", error);
    const isOurs = error instanceof RangeError && code === undefined;
    throw badZip(file, isOurs ? error.message : "it is cut short or its content is damaged", error);
  }
}

function badZip(file: string, why: string, cause?: unknown): SpoorError {
  return new SpoorError("trace.bad-zip", `${file} begins like a zip but cannot be unpacked: ${why}.`, {
    at: { file },
    consequence: "Nothing of it was used.",
    hint: "Copy it again from its source.",
    ...(cause === undefined ? {} : { cause }),
  });
}

function inWords(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GiB` : `${bytes / 1024 ** 2} MiB`;
}
