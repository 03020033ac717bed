/** Writes a file whole or not at all: into a temporary file beside it, then renamed. Folders are made as needed. */
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SpoorError } from "@spoor/core";

export async function writeFileAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(file);
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, content);
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
