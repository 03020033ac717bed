/**
 * One writer at a time, across processes: a lock file that exists only while someone holds it. It is born with its owner's
 * name in it, so that a process killed at any moment leaves a lock of which one can tell that nobody holds it: its owner is
 * gone, or the number of its owner is now that of another process. Such a lock is taken over at once; any other is waited
 * for, and after a while reported with its owner.
 */
import { link, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { SpoorError } from "@spoor/core/internal/errors";
import { isRunning, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { startOfProcess } from "./process-start.ts";

export interface LockOptions {
  /** How long to wait for another writer before giving up. */
  readonly timeoutMs?: number;
  /** What it means when another writer does not let go. */
  readonly code?: "baseline.locked" | "record.in-use" | "eval.results-in-use" | "store.locked";
}

export interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
  /** When the process began, where the system tells: process numbers are used again. */
  readonly started?: string;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const LONGEST_PAUSE_MS = 50;
/** A lock without an owner is being written right now, by a file system that cannot do it at once; or it is rubbish. */
const RUBBISH_AFTER_MS = 1_000;
const BEAT_MS = 10_000;
/** Many beats: clocks of machines differ, and disks of networks stall. */
const SILENT_AFTER_MS = 300_000;

export async function withFileLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const release = await holdFileLock(file, options);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** For as long as the process runs, or until the returned function is called. */
export async function holdFileLock(file: string, options: LockOptions = {}): Promise<() => Promise<void>> {
  const lock = `${file}.lock`;
  const token = await acquire(lock, options);
  // Another machine cannot ask whether this process runs; it sees that the lock is kept fresh.
  const beat = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => undefined), BEAT_MS).unref();
  return async () => {
    clearInterval(beat);
    await release(lock, token);
  };
}

async function acquire(
  lock: string,
  { timeoutMs = DEFAULT_TIMEOUT_MS, code = "baseline.locked" }: LockOptions,
): Promise<string> {
  const owner = await ownerOfThisProcess();
  let waited = 0;
  for (;;) {
    if (await create(lock, owner, code)) return owner.token;
    const holder = await readOwner(lock);
    if (holder === undefined ? await isOlder(lock, RUBBISH_AFTER_MS) : await isAbandoned(lock, holder)) {
      await takeAway(lock, holder);
      continue;
    }
    if (waited >= timeoutMs) throw lockedError(code, lock, holder);
    const pause = 1 + Math.random() * LONGEST_PAUSE_MS;
    waited += pause;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Who this process is, so that others can tell whether it still runs. */
export async function ownerOfThisProcess(): Promise<Owner> {
  const started = await startOfProcess(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    token: uniqueName(),
    ...(started === undefined ? {} : { started }),
  };
}

/** A link fails when the name exists: the file system decides who was first, and the lock is never seen half written. */
async function create(lock: string, owner: Owner, purpose: NonNullable<LockOptions["code"]>): Promise<boolean> {
  const draft = temporaryBeside(lock);
  try {
    await writeFile(draft, JSON.stringify(owner));
    try {
      await link(draft, lock);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") return false;
      if (!NO_LINKS.has(code ?? "")) throw error;
      return await createExclusively(lock, owner);
    } finally {
      await rm(draft, { force: true });
    }
  } catch (error) {
    throw new SpoorError(UNWRITABLE[purpose], `${lock} cannot be made: ${(error as Error).message}.`, {
      at: { file: lock },
      consequence: "Nothing was written.",
      hint: "Check that the folder may be written to.",
      cause: error,
    });
  }
}

/** What it means that the lock itself cannot be made. */
const UNWRITABLE = {
  "baseline.locked": "baseline.unwritable",
  "record.in-use": "baseline.unwritable",
  "eval.results-in-use": "output.unwritable",
  "store.locked": "store.unavailable",
} as const;

/** What file systems without links answer. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EXDEV"]);

async function createExclusively(lock: string, owner: Owner): Promise<boolean> {
  try {
    const handle = await open(lock, "wx");
    try {
      await handle.writeFile(JSON.stringify(owner));
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export async function readOwner(lock: string): Promise<Owner | undefined> {
  try {
    const { pid, host, token, started } = JSON.parse(await readFile(lock, "utf8")) as Partial<Owner>;
    if (typeof pid !== "number" || host === undefined || token === undefined) return undefined;
    return { pid, host, token, ...(started === undefined ? {} : { started }) };
  } catch {
    // Released in the meantime, or not yet written: either way the next try will tell.
    return undefined;
  }
}

export async function isDead(owner: Owner): Promise<boolean> {
  if (owner.host !== hostname()) return false;
  if (!isRunning(owner.pid)) return true;
  const started = owner.started === undefined ? undefined : await startOfProcess(owner.pid);
  return started !== undefined && started !== owner.started;
}

/** A holder on another machine, or in a container that is gone: nobody has kept the lock fresh for long. */
async function isAbandoned(lock: string, holder: Owner): Promise<boolean> {
  return holder.host === hostname() ? isDead(holder) : isOlder(lock, SILENT_AFTER_MS);
}

async function isOlder(lock: string, ms: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > ms;
  } catch {
    return false;
  }
}

/** Only one of several waiters succeeds in renaming; a fresh lock renamed by mistake is put back. */
async function takeAway(lock: string, dead: Owner | undefined): Promise<void> {
  const aside = temporaryBeside(lock);
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  const taken = await readOwner(aside);
  if (taken?.token === dead?.token) await rm(aside, { force: true });
  else await rename(aside, lock);
}

/** Unlike that of any other process, and of this one at another time. */
function uniqueName(): string {
  const random = Math.floor(Math.random() * 2 ** 48).toString(36);
  return `${process.pid.toString(36)}-${Date.now().toString(36)}-${random}`;
}

async function release(lock: string, token: string): Promise<void> {
  const owner = await readOwner(lock);
  if (owner?.token === token) await rm(lock, { force: true });
}

function lockedError(code: NonNullable<LockOptions["code"]>, lock: string, holder: Owner | undefined): SpoorError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host}`;
  return new SpoorError(code, `${lock.replace(/\.lock$/, "")} is being written by ${who}.`, {
    at: { file: lock },
    consequence: "Nothing was written.",
    hint: `Try again. If no such process is running any more, delete ${lock}.`,
  });
}
