/**
 * The text of a file that a user named: a policy, a configuration, a report. It may turn out to be anything: a device that
 * never ends, a pipe that nobody fills, a socket. Each is refused in words and in bounded time and memory.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { SpoorError } from "@spoor/core/internal/errors";
import { openForReading, readUnchanged } from "./changed-file.ts";
import { givenText, openInFence } from "./fence.ts";
import { readPipeNow } from "./read-pipe.ts";
import { whyUnreadable } from "./why-unreadable.ts";

/** What people write by hand. */
export const MOST_TEXT_BYTES = 32 * 1024 ** 2;
/** What programs write, as long as it fits into one string. */
export const MOST_DOCUMENT_BYTES = 500 * 1024 ** 2;

/** YAML is written by hand, and reading it takes a hundred times its size; lists of cases in other formats come out of programs. */
export function mostBytesOf(path: string): number {
  return /\.ya?ml$/i.test(path) ? MOST_TEXT_BYTES : MOST_DOCUMENT_BYTES;
}

/** `fail` makes the error; `why` follows the name of the file: "does not exist". */
export function readText(
  path: string,
  fail: (why: string, cause: unknown) => SpoorError,
  most = MOST_TEXT_BYTES,
): string {
  const given = givenText(path);
  if (given !== undefined) return given;
  try {
    const bytes = readUpTo(path, most);
    if (bytes.length <= most) return bytes.toString("utf8");
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    throw fail(whyUnreadable(error), error);
  }
  throw fail(tooLarge(most), undefined);
}

/** Undefined when there is none. */
export function readTextIfThere(...given: Parameters<typeof readText>): string | undefined {
  try {
    return readText(...given);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** For what is read in passing, by whoever has no words of its own for a file that cannot be. */
export function readWholeText(path: string, most = mostBytesOf(path)): string {
  return readText(path, (why, cause) => unreadable(path, why, cause), most);
}

export function readWholeTextIfThere(path: string, most = mostBytesOf(path)): string | undefined {
  return readTextIfThere(path, (why, cause) => unreadable(path, why, cause), most);
}

export function readWholeBytes(path: string, most = MOST_DOCUMENT_BYTES): Buffer {
  try {
    const bytes = readUpTo(path, most);
    if (bytes.length <= most) return bytes;
  } catch (error) {
    throw error instanceof SpoorError ? error : unreadable(path, whyUnreadable(error), error);
  }
  throw unreadable(path, tooLarge(most), undefined);
}

function unreadable(file: string, why: string, cause: unknown): SpoorError {
  return new SpoorError("input.unreadable", `${file} ${why}.`, { at: { file }, cause });
}

function tooLarge(most: number): string {
  return `is larger than ${most / 1024 ** 2} MiB, and is not read`;
}

function readUpTo(path: string, most: number): Buffer {
  const fenced = openInFence(path);
  if (fenced !== undefined) return readHandle(path, fenced, most);
  const status = statSync(path);
  if (status.isFIFO()) return readPipeNow(path, most);
  return readHandle(path, status.isFile() ? openForReading(path) : openSync(path, "r"), most);
}

/** Also files that say they are empty and are not, like those below /proc. */
function readHandle(path: string, handle: number, most: number): Buffer {
  try {
    const { size } = fstatSync(handle);
    if (size > 0 && size <= most) return readUnchanged(path, handle);
    const chunks: Buffer[] = [];
    for (let total = 0; total <= most; ) {
      const chunk = Buffer.allocUnsafe(1 << 20);
      const read = readSync(handle, chunk);
      if (read === 0) break;
      chunks.push(chunk.subarray(0, read));
      total += read;
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(handle);
  }
}
