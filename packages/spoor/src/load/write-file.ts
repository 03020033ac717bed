/**
 * Writes a file whole or not at all: into a temporary file beside it, then renamed. What is no file is never renamed over
 * (write-destination.ts).
 */
import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { sweepTemporaries, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { makeFolder } from "./make-folder.ts";
import { writeDestination } from "./write-destination.ts";

export type Content = string | Uint8Array | Iterable<string | Uint8Array>;

/** For what a user asked to be written: folders are made, and a failure says what to check. */
export async function writeFileAtomically(file: string, content: Content): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeWhole(file, content);
  } catch (error) {
    throw unwritableError(file, error);
  }
}

/** What a user can do about a file that cannot be written. */
export function unwritableError(file: string, error: unknown): SpoorError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new SpoorError("output.unwritable", `${file} cannot be written: ${unwritableWords(code) ?? message}.`, {
    at: { file },
    hint: HINTS[code ?? ""] ?? "Check that the folder exists and may be written to, or name another file.",
    cause: error,
  });
}

/** Undefined when it is no matter of room. */
export function unwritableWords(code: string | undefined): string | undefined {
  return WORDS[code ?? ""];
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "no more may be stored for this user",
  EFBIG: "it would be larger than a file may be here",
};
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: "Free some space, or name a file on another disk.",
  EDQUOT: "Free some space, or name a file on another disk.",
  EFBIG: "Name a file on another disk, raise the limit (ulimit -f), or keep less.",
};

/** `durable`: on disk before it gets its name, so that neither a crash nor a full disk leaves half a file. */
export async function writeWhole(
  file: string,
  content: Content,
  { durable = false, mode }: { readonly durable?: boolean; readonly mode?: number } = {},
): Promise<void> {
  const { path, kind, mode: kept } = await writeDestination(file);
  if (kind === "stream") return writeInto(await open(path, "w"), content);
  sweepTemporaries(dirname(path));
  const temporary = temporaryBeside(path);
  try {
    const handle = await open(temporary, "w", mode ?? kept);
    await writeInto(handle, content, durable);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeInto(handle: FileHandle, content: Content, durable = false): Promise<void> {
  try {
    await writeFile(handle, isPieces(content) ? batches(content) : content);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A string is itself iterable, character by character; that is never meant. */
function isPieces(content: Content): content is Iterable<string | Uint8Array> {
  return typeof content !== "string" && !(content instanceof Uint8Array);
}

const BATCH_CHARS = 1 << 20;

/** Many short lines in few writes; bytes are large enough as they come. */
function* batches(pieces: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  let batch = "";
  for (const piece of pieces) {
    if (typeof piece === "string") batch += piece;
    if (typeof piece === "string" && batch.length < BATCH_CHARS) continue;
    if (batch !== "") yield batch;
    batch = "";
    if (typeof piece !== "string") yield piece;
  }
  if (batch !== "") yield batch;
}
