/**
 * A database on the disk that is too large to be held in memory, as stores of editors become: its pages are read when they are asked for.
 * Everything smaller is read at once, as all files are.
 */
import { accessSync, closeSync, constants, fstatSync, readSync, statSync } from "node:fs";
import { openForReading, type Seen } from "../changed-file.ts";
import { mayLook, openInFence } from "../fence.ts";
import { whyUnreadable } from "../why-unreadable.ts";
import { type ByteSource, isSqlite } from "./pages.ts";
import { DamagedDatabase } from "./sqlite-error.ts";

export const LARGE_BYTES = 256 * 1024 * 1024;

/** Calls `read` with the bytes of such a file; undefined for every other one. */
export function withLargeDatabase<T>(
  file: string,
  read: (source: ByteSource, seen: Seen) => T,
  largeBytes = LARGE_BYTES,
): T | undefined {
  if (sizeOf(file) < largeBytes) return undefined;
  const handle = openInFence(file) ?? openIfThere(file);
  if (handle === undefined) return undefined;
  try {
    const seen = fstatSync(handle);
    if (!seen.isFile() || !isSqlite(bytesAt(handle, 0, 16))) return undefined;
    return read({ size: seen.size, read: (from, length) => bytesAt(handle, from, length) }, seen);
  } finally {
    closeSync(handle);
  }
}

/** What was there a moment ago may be gone: whoever reads it says so. */
function openIfThere(file: string): number | undefined {
  try {
    return openForReading(file);
  } catch {
    return undefined;
  }
}

/** 0 for what is no file, or cannot be looked at: whoever reads it says why. */
function sizeOf(file: string): number {
  if (!mayLook(file)) return 0;
  try {
    const status = statSync(file);
    if (!status.isFile()) return 0;
    if (status.size >= LARGE_BYTES) accessSync(file, constants.R_OK);
    return status.size;
  } catch {
    return 0;
  }
}

function bytesAt(handle: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  try {
    while (filled < length) {
      const count = readSync(handle, bytes, filled, length - filled, from + filled);
      if (count === 0) break;
      filled += count;
    }
  } catch (error) {
    throw new DamagedDatabase(`it ${whyUnreadable(error)}`);
  }
  return bytes.subarray(0, filled);
}
