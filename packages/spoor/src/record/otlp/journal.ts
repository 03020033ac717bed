/**
 * What was acknowledged, kept until it stands in files of its own. Frames of length, CRC-32 and body are written and synced in
 * groups: whoever waits for one disk write takes along all that came meanwhile. A frame that a crash cut short was never
 * acknowledged and is dropped when the journal is read.
 */
import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { makeFolder } from "../../load/make-folder.ts";

export interface Journal {
  /** Resolves when the body is on disk; rejects when it is not, and then nothing of it stays. */
  append(body: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  /** Runs a function after so many milliseconds. */
  readonly later: (run: () => void, ms: number) => void;
  /** How a file is opened, for appending after `size` bytes that are known to be good. */
  readonly openFile?: (path: string) => Promise<JournalFile>;
}

/** As much of a file handle as a journal needs. */
export type JournalFile = Pick<FileHandle, "write" | "datasync" | "truncate" | "close">;

/** How long the first of a group waits for others. */
export const COMMIT_AFTER_MS = 5;
const HEAD_BYTES = 8;

interface Waiting {
  readonly frame: Uint8Array;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Opens a journal whose first `size` bytes are whole frames; what follows them is cut off. */
export async function openJournal(path: string, size: number, options: JournalOptions): Promise<Journal> {
  await makeFolder(dirname(path), { mode: 0o700 });
  const file = await (options.openFile ?? openForWriting)(path);
  await file.truncate(size);
  let good = size;
  let waiting: Waiting[] = [];
  let isPlanned = false;
  let commits: Promise<void> = Promise.resolve();

  return {
    append(body) {
      return new Promise((done, failed) => {
        waiting.push({ frame: frameOf(body), done, failed });
        if (isPlanned) return;
        isPlanned = true;
        options.later(plan, COMMIT_AFTER_MS);
      });
    },
    async close() {
      plan();
      await commits;
      await file.close();
    },
  };

  function plan(): void {
    isPlanned = false;
    commits = commits.then(commit);
  }

  async function commit(): Promise<void> {
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    const bytes = Buffer.concat(group.map(({ frame }) => frame));
    try {
      await writeAt(file, bytes, good);
      await file.datasync();
      good += bytes.length;
      for (const { done } of group) done();
    } catch (error) {
      // Whoever was told "not kept" sends it again: nothing of it may stay.
      await file.truncate(good).catch(() => undefined);
      for (const { failed } of group) failed(error);
    }
  }
}

/** Every whole frame, and where the first that is not whole begins. A missing journal is an empty one. */
export async function readJournal(
  path: string,
): Promise<{ readonly bodies: readonly Uint8Array[]; readonly size: number }> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  });
  const bodies: Uint8Array[] = [];
  let at = 0;
  while (bytes.length - at >= HEAD_BYTES) {
    const end = at + HEAD_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const body = bytes.subarray(at + HEAD_BYTES, end);
    if (crc32(body) !== bytes.readUInt32BE(at + 4)) break;
    bodies.push(body);
    at = end;
  }
  return { bodies, size: at };
}

function frameOf(body: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(HEAD_BYTES + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  frame.set(body, HEAD_BYTES);
  return frame;
}

/** A full disk writes a part and reports no error; the write after it does. */
async function writeAt(file: JournalFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    if (bytesWritten === 0) throw new Error("nothing could be written");
    written += bytesWritten;
  }
}

/** For writing in place: with the flag for appending, the position would be ignored. */
async function openForWriting(path: string): Promise<JournalFile> {
  return open(path, "r+", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return open(path, "wx+", 0o600);
    throw error;
  });
}
