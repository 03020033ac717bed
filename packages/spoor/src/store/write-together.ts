/**
 * Several files in one act: all of them as they were, or all of them new. Everything is written beside its place first; then a
 * journal says what has to be renamed; then it is done. A process that dies before the journal stands has changed nothing; one that
 * dies after it is finished by whoever comes next (`finishTogether`), and until then its journal says that something is open.
 */
import { existsSync, readFileSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { sweepTemporaries, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { makeFolder } from "../load/make-folder.ts";
import { writeDestination } from "../load/write-destination.ts";
import { writeWhole } from "../load/write-file.ts";

/** Where decisions of a project are noted while they are written, from its configuration's folder. */
export const DECISIONS_JOURNAL = ".spoor/decisions.journal";

export type FileChange =
  | { readonly file: string; readonly content: string | Uint8Array }
  | { readonly file: string; readonly remove: true };

interface Journal {
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly removes: readonly string[];
}

/** `journal` is where the act is noted while it happens; paths are absolute. The last change of a file counts. */
export async function writeTogether(journal: string, changes: readonly FileChange[]): Promise<void> {
  const last = [...new Map(changes.map((change) => [change.file, change])).values()];
  const written: { from: string; to: string }[] = [];
  // Drafts of an act that never got its journal; those of one that did are needed until it is finished.
  if (!isUnfinished(journal)) for (const { file } of last) sweepTemporaries(dirname(file), "draft");
  try {
    for (const change of last) if ("content" in change) written.push(await writeBeside(change.file, change.content));
    const removes = last.flatMap((change) => ("remove" in change ? [change.file] : []));
    await makeFolder(dirname(journal));
    const noted: Journal = {
      renames: written.map(({ from, to }) => ({ from: inJournal(journal, from), to: inJournal(journal, to) })),
      removes: removes.map((file) => inJournal(journal, file)),
    };
    await writeWhole(journal, `${JSON.stringify(noted)}\n`, { durable: true });
  } catch (error) {
    for (const { from } of written) await rm(from, { force: true }).catch(() => undefined);
    await rm(journal, { force: true }).catch(() => undefined);
    throw unwritable(error as NodeJS.ErrnoException);
  }
  await finishTogether(journal);
}

/** Ends an act that was noted and not finished; says whether there was one. Doing it twice changes nothing. */
export async function finishTogether(journal: string): Promise<boolean> {
  if (!isUnfinished(journal)) return false;
  const { renames, removes } = JSON.parse(readFileSync(journal, "utf8")) as Journal;
  const at = (path: string) => resolve(dirname(journal), path);
  try {
    // What is gone was renamed before the process died.
    for (const { from, to } of renames) if (existsSync(at(from))) await rename(at(from), at(to));
    for (const file of removes) await rm(at(file), { force: true });
  } catch (error) {
    throw new SpoorError("accept.unfinished", `What was decided is only partly written: ${(error as Error).message}.`, {
      at: { file: journal },
      hint: "Make the file writable and run the command again: it finishes what is noted there.",
      cause: error,
    });
  }
  await rm(journal, { force: true });
  return true;
}

export function isUnfinished(journal: string): boolean {
  return existsSync(journal);
}

async function writeBeside(file: string, content: string | Uint8Array): Promise<{ from: string; to: string }> {
  await makeFolder(dirname(file));
  const { path: to, kind } = await writeDestination(file);
  if (kind === "stream") throw new Error(`${file} is no file that can be replaced`);
  sweepTemporaries(dirname(to));
  const from = temporaryBeside(to, "draft");
  try {
    const handle = await open(from, "w");
    try {
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(from, { force: true }).catch(() => undefined);
    throw error;
  }
  return { from, to };
}

/** A project may be moved between the crash and the next command: places inside it are noted from the journal's folder. */
function inJournal(journal: string, file: string): string {
  const path = relative(dirname(journal), file);
  return isAbsolute(path) ? file : path;
}

function unwritable(error: NodeJS.ErrnoException): Error {
  if (error instanceof SpoorError) return error;
  return new SpoorError("output.unwritable", `What was decided cannot be written: ${error.message}.`, {
    ...(error.path === undefined ? {} : { at: { file: error.path } }),
    consequence: "Nothing was written.",
    hint: "Check that the folders may be written to and the disk is not full.",
    cause: error,
  });
}
