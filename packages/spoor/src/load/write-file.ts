/** Writes a file whole or not at all: into a temporary file beside it, then renamed. Folders are made as needed. */
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SpoorError } from "@spoor/core/errors";
import { makeFolder } from "./make-folder.ts";

export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array | Iterable<string>,
): Promise<void> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await makeFolder(folder);
    await writeFile(temporary, isPieces(content) ? batches(content) : content);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new SpoorError("output.unwritable", `${file} cannot be written: ${(error as Error).message}.`, {
      at: { file },
      hint: "Check that the folder exists and may be written to.",
      cause: error,
    });
  }
}

/** A string is itself iterable, character by character; that is never meant. */
function isPieces(content: string | Uint8Array | Iterable<string>): content is Iterable<string> {
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
