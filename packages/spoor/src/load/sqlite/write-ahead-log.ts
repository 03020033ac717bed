/**
 * The `-wal` file beside a database: pages that were written since it was last brought up to date. Only frames that belong to this log
 * (by its salts and running checksums) and stand before the last commit count, as SQLite itself reads it after a crash.
 */
import { DamagedDatabase } from "./sqlite-error.ts";

export interface CommittedPages {
  readonly pageSize: number;
  /** How many pages the database has after the last commit. */
  readonly count: number;
  page(number: number): Buffer | undefined;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;
const VERSION = 3_007_000;

/** Undefined when nothing in it was committed, which is how a log looks that was taken into the database. */
export function readLog(log: Buffer): CommittedPages | undefined {
  if (log.length < HEADER_BYTES) return undefined;
  const magic = log.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) throw new DamagedDatabase("the log beside it is no log of SQLite");
  if (log.readUInt32BE(4) !== VERSION) throw new DamagedDatabase("the log beside it has an unknown version");
  const pageSize = log.readUInt32BE(8);
  const isBigEndian = (magic & 1) === 1;
  let sums = checksum(log.subarray(0, 24), isBigEndian, [0, 0]);
  // A header that was not written to its end belongs to a log that never began.
  if (sums[0] !== log.readUInt32BE(24) || sums[1] !== log.readUInt32BE(28)) return undefined;
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  const pages = new Map<number, number>();
  let waiting: [number, number][] = [];
  let count: number | undefined;
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageSize <= log.length; at += FRAME_HEADER_BYTES + pageSize) {
    if (log.readUInt32BE(at + 8) !== log.readUInt32BE(16) || log.readUInt32BE(at + 12) !== log.readUInt32BE(20)) break;
    const content = at + FRAME_HEADER_BYTES;
    sums = checksum(log.subarray(at, at + 8), isBigEndian, sums);
    sums = checksum(log.subarray(content, content + pageSize), isBigEndian, sums);
    if (sums[0] !== log.readUInt32BE(at + 16) || sums[1] !== log.readUInt32BE(at + 20)) break;
    waiting.push([log.readUInt32BE(at), content]);
    const committed = log.readUInt32BE(at + 4);
    if (committed === 0) continue;
    for (const [number, from] of waiting) pages.set(number, from);
    waiting = [];
    count = committed;
  }
  if (count === undefined) return undefined;
  return {
    pageSize,
    count,
    page(number) {
      const from = pages.get(number);
      return from === undefined ? undefined : log.subarray(from, from + pageSize);
    },
  };
}

type Sums = readonly [number, number];

function checksum(bytes: Buffer, isBigEndian: boolean, [first, second]: Sums): Sums {
  let [left, right] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    left = (left + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + right) >>> 0;
    right = (right + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + left) >>> 0;
  }
  return [left, right];
}
