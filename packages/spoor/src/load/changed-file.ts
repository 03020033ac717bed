/**
 * Files that somebody writes while they are read. What was read must have stood in the file at one moment: a file that only grew, as recordings
 * do, is read as long as it was when reading began; one that was rewritten or cut meanwhile is refused, because half of one content and half of
 * another is a run that never happened.
 */
import { constants, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from "node:fs";
import { crc32 } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";

/** What a file looked like when reading it began. */
export type Seen = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs">;

const CHUNK_BYTES = 1 << 20;

/** Without waiting: what was a file a moment ago may be a pipe by now. */
export function openForReading(file: string): number {
  return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
}

/** The whole of an open file. */
export function readUnchanged(file: string, handle: number): Buffer {
  const seen = fstatSync(handle);
  const bytes = readFileSync(handle);
  // A file that says it is empty and is not, like those below /proc, says nothing about changes either.
  if (seen.size > 0) requireSameBytes(file, handle, seen, { length: bytes.length, sum: () => crc32(bytes) });
  return bytes;
}

/** The same in pieces, for a file that is too large to be held. */
export function* readUnchangedChunks(file: string, handle: number): Generator<Buffer> {
  const seen = fstatSync(handle);
  let [length, sum] = [0, 0];
  for (const chunk of chunksOf(handle, seen.size)) {
    length += chunk.length;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  requireSameBytes(file, handle, seen, { length, sum: () => sum });
}

/** Refuses what was changed or exchanged since, for whoever reads something beside it that belongs to it. */
export function requireAsSeen(file: string, seen: Seen): void {
  const now = statSync(file, { throwIfNoEntry: false });
  if (now?.dev !== seen.dev || now.ino !== seen.ino || !isAsSeen(now, seen)) throw changedFile(file);
}

function requireSameBytes(
  file: string,
  handle: number,
  seen: Seen,
  read: { readonly length: number; readonly sum: () => number },
): void {
  if (isAsSeen(fstatSync(handle), seen)) return;
  if (read.length < seen.size) throw changedFile(file);
  let sum = 0;
  for (const chunk of chunksOf(handle, read.length)) sum = crc32(chunk, sum);
  if (sum !== read.sum()) throw changedFile(file);
}

function isAsSeen(now: Pick<Seen, "size" | "mtimeMs">, seen: Seen): boolean {
  return now.size === seen.size && now.mtimeMs === seen.mtimeMs;
}

/** From the beginning, up to so many bytes; fewer when the file ends before. */
function* chunksOf(handle: number, size: number): Generator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
    const count = readSync(handle, chunk, 0, chunk.length, at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}

export function changedFile(file: string): SpoorError {
  return new SpoorError("input.changed", `${file} was changed while it was read.`, {
    at: { file },
    consequence: "Nothing of it was used: half of one content and half of another is neither.",
    hint: "Wait until the program that writes it is done, and run this again.",
  });
}
