/**
 * Several files in one act: all of them as they were, or all of them new. Everything is written beside its place first; then a
 * journal says what has to be renamed; then it is done. A process that dies before the journal stands has changed nothing; one that
 * dies after it is finished by whoever comes next (`finishTogether`), and until then its journal says that something is open.
 *
 * A journal renames and deletes what it names, and a file of that name may come with somebody's branch. So it also notes the number that the file system
 * gave to each draft, which nobody elsewhere can know: one that does not fit is not obeyed.
 */
import { existsSync, lstatSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, type Json, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { sweepTemporaries, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { makeFolder } from "../load/make-folder.ts";
import { readText } from "../load/read-text.ts";
import { writeDestination } from "../load/write-destination.ts";
import { writeWhole } from "../load/write-file.ts";

/** Where decisions of a project are noted while they are written, from its configuration's folder. */
export const DECISIONS_JOURNAL = ".spoor/decisions.journal";

export type FileChange =
  | { readonly file: string; readonly content: string | Uint8Array }
  | { readonly file: string; readonly remove: true };

interface Journal {
  readonly renames: readonly Draft[];
  readonly removes: readonly string[];
}

interface Draft {
  readonly from: string;
  readonly to: string;
  /** The file system's number of it, which it keeps when it is renamed. */
  readonly file: string;
}

/** `journal` is where the act is noted while it happens; paths are absolute. The last change of a file counts. */
export async function writeTogether(journal: string, changes: readonly FileChange[]): Promise<void> {
  const last = [...new Map(changes.map((change) => [change.file, change])).values()];
  const written: Draft[] = [];
  // Drafts of an act that never got its journal; those of one that did are needed until it is finished.
  if (!isUnfinished(journal)) for (const { file } of last) sweepTemporaries(dirname(file), "draft");
  try {
    for (const change of last) if ("content" in change) written.push(await writeBeside(change.file, change.content));
    const removes = last.flatMap((change) => ("remove" in change ? [change.file] : []));
    await makeFolder(dirname(journal));
    const noted: Journal = {
      renames: written.map(({ from, to, file }) => ({
        ...{ from: inJournal(journal, from), to: inJournal(journal, to), file },
      })),
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
  const at = (path: string) => resolve(dirname(journal), path);
  try {
    const { renames, removes } = readJournal(journal, at);
    // What is gone was renamed before the process died.
    for (const { from, to } of renames) if (existsSync(at(from))) await rename(at(from), at(to));
    for (const file of removes) await rm(at(file), { force: true });
    await rm(journal, { force: true });
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    throw partly(journal, (error as Error).message, error);
  }
  return true;
}

function partly(journal: string, why: string, cause: unknown): SpoorError {
  return new SpoorError("accept.unfinished", `What was decided is only partly written: ${why}.`, {
    at: { file: journal },
    hint: "Make the file writable and run the command again: it finishes what is noted there.",
    cause,
  });
}

/** Ours, whole, and about the very files that it was written with. */
function readJournal(journal: string, at: (path: string) => string): Journal {
  const foreign = (why: string) =>
    new SpoorError("accept.unfinished", `${journal} is not what Spoor noted here: ${why}.`, {
      at: { file: journal },
      consequence: "Nothing that it names was touched.",
      hint: "Look at what changed (git status), then delete this file.",
    });
  const noted = journalOf(readText(journal, (why, cause) => partly(journal, `${journal} ${why}`, cause)));
  if (noted === undefined) throw foreign("it is damaged");
  const stranger = noted.renames.find(
    ({ from, to, file }) => ![at(from), at(to)].some((path) => numberOf(path) === file),
  );
  if (stranger !== undefined) throw foreign(`${stranger.to} is another file than the one that was written`);
  return noted;
}

function journalOf(text: string): Journal | undefined {
  const { renames, removes } = objectOf(text);
  if (!Array.isArray(renames) || !Array.isArray(removes) || renames.length === 0) return undefined;
  const drafts = (renames as readonly Json[]).map((draft) => {
    const [from, to, file] = ["from", "to", "file"].map((name) => stringMember(draft, name));
    return from === undefined || to === undefined || file === undefined ? undefined : { from, to, file };
  });
  const isPath = (path: unknown): path is string => typeof path === "string" && !path.includes("\0");
  if (!drafts.every((draft) => draft !== undefined && isPath(draft.from) && isPath(draft.to))) return undefined;
  return (removes as readonly Json[]).every(isPath) ? ({ renames: drafts, removes } as Journal) : undefined;
}

function objectOf(text: string): { readonly [key: string]: Json } {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Undefined where there is no file. */
function numberOf(path: string): string | undefined {
  const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return status?.isFile() ? String(status.ino) : undefined;
}

export function isUnfinished(journal: string): boolean {
  return existsSync(journal);
}

async function writeBeside(file: string, content: string | Uint8Array): Promise<Draft> {
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
  return { from, to, file: numberOf(from)! };
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
