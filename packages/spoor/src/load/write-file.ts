/** Writes a file whole or not at all: into a temporary file beside it, then renamed. */
import { randomBytes } from "node:crypto";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { makeFolder } from "./make-folder.ts";

type Content = string | Uint8Array | Iterable<string>;

/** For what a user asked to be written: folders are made, and a failure says what to check. */
export async function writeFileAtomically(file: string, content: Content): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeWhole(file, content);
  } catch (error) {
    throw new SpoorError("output.unwritable", `${file} cannot be written: ${(error as Error).message}.`, {
      at: { file },
      hint: "Check that the folder exists and may be written to.",
      cause: error,
    });
  }
}

/** `durable`: on disk before it gets its name, so that neither a crash nor a full disk leaves half a file. */
export async function writeWhole(
  file: string,
  content: Content,
  { durable = false, mode }: { readonly durable?: boolean; readonly mode?: number } = {},
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "w", mode);
    try {
      await writeFile(handle, isPieces(content) ? batches(content) : content);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** A string is itself iterable, character by character; that is never meant. */
function isPieces(content: Content): content is Iterable<string> {
  return typeof content !== "string" && !(content instanceof Uint8Array);
}

const BATCH_CHARS = 1 << 20;

/** Many short lines in few writes. */
function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = "";
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH_CHARS) continue;
    yield batch;
    batch = "";
  }
  if (batch !== "") yield batch;
}
