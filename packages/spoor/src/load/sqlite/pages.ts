/**
 * The pages of a database file, with those on top that a write-ahead log has committed since. https://www.sqlite.org/fileformat2.html
 * Numbers begin at 1; the first page begins with the header of the file.
 */
import { DamagedDatabase } from "./sqlite-error.ts";
import type { CommittedPages } from "./write-ahead-log.ts";

const MAGIC = Buffer.from("SQLite format 3\0", "latin1");
export const HEADER_BYTES = 100;

export function isSqlite(bytes: Uint8Array): boolean {
  return bytes.length >= MAGIC.length && MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

export type TextEncoding = "utf8" | "utf16le" | "utf16be";

export interface Pages {
  readonly count: number;
  /** Bytes of a page that hold data; what lies behind them belongs to extensions. */
  readonly usable: number;
  readonly encoding: TextEncoding;
  page(number: number): Buffer;
}

const ENCODINGS: readonly (TextEncoding | undefined)[] = [undefined, "utf8", "utf16le", "utf16be"];

/** The bytes of a database, in memory or on the disk: only what is asked for is read. */
export interface ByteSource {
  readonly size: number;
  read(from: number, length: number): Buffer;
}

export function inMemory(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) };
}

export function openPages(source: ByteSource, log?: CommittedPages): Pages {
  const bytes = source.read(0, HEADER_BYTES);
  if (bytes.length < HEADER_BYTES) throw new DamagedDatabase("it ends inside its header");
  const size = pageSizeOf(bytes);
  if (log !== undefined && log.pageSize !== size)
    throw new DamagedDatabase("the log beside it has pages of another size");
  const whole = Math.floor(source.size / size);
  // A file that was cut off still claims all of its pages, unless the writer was too old to count them.
  const claimed = bytes.readUInt32BE(24) === bytes.readUInt32BE(92) ? bytes.readUInt32BE(28) : 0;
  if (log === undefined && claimed > whole)
    throw new DamagedDatabase(`it ends early: ${whole} of its ${claimed} pages are there`);
  const count = log?.count ?? (claimed || whole);
  const page = (number: number): Buffer => {
    if (!Number.isInteger(number) || number < 1 || number > count)
      throw new DamagedDatabase(`it names page ${number} of ${count}`);
    const newer = log?.page(number);
    if (newer !== undefined) return newer;
    if (number > whole) throw new DamagedDatabase(`it ends early: page ${number} of ${count} is missing`);
    const content = source.read((number - 1) * size, size);
    if (content.length < size) throw new DamagedDatabase(`it ends early: page ${number} of ${count} is missing`);
    return content;
  };
  const header = page(1);
  const usable = size - header[20]!;
  if (usable < 480) throw new DamagedDatabase("its header keeps no room for data");
  const encoding = ENCODINGS[header.readUInt32BE(56)];
  // A database in which nothing was written yet has no encoding either.
  if (encoding === undefined && header.readUInt32BE(56) !== 0)
    throw new DamagedDatabase("its header names no known encoding");
  return { count, usable, encoding: encoding ?? "utf8", page };
}

function pageSizeOf(bytes: Buffer): number {
  const told = bytes.readUInt16BE(16);
  const size = told === 1 ? 65_536 : told;
  if (size < 512 || (size & (size - 1)) !== 0) throw new DamagedDatabase(`its header names pages of ${told} bytes`);
  return size;
}
