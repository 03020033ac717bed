import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { SpoorError } from "@spoor/core/internal/errors";

const CHUNK_BYTES = 1 << 20;

/** `sha256:` of a file's bytes, so that a statement about a gate can name exactly what it judged. */
export function digestFile(file: string): string {
  if (!statSync(file).isFile())
    throw new SpoorError("input.unreadable", `${file} is no file that could be read a second time.`, {
      at: { file },
      hint: "Write it into a file, and name that.",
    });
  const handle = openSync(file, "r");
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, fstatSync(handle).size)));
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk))
      hash.update(chunk.subarray(0, read));
    return `sha256:${hash.digest("hex")}`;
  } finally {
    closeSync(handle);
  }
}

/** Nothing for what comes out of a pipe or is not there any more: what was read of it cannot be named. */
export function contentIdOf(file: string): { readonly contentId?: string } {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? { contentId: digestFile(file) } : {};
}
