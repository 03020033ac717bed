/**
 * One writer at a time, across processes: a lock file that exists only while someone holds it. A lock whose owner died on
 * this machine is taken over; any other lock is waited for, and after a while reported with its owner.
 */
import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { SpoorError } from "@spoor/core/internal/errors";

export interface LockOptions {
  /** How long to wait for another writer before giving up. */
  readonly timeoutMs?: number;
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const LONGEST_PAUSE_MS = 50;

export async function withFileLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const lock = `${file}.lock`;
  const token = await acquire(lock, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    return await work();
  } finally {
    await release(lock, token);
  }
}

async function acquire(lock: string, timeoutMs: number): Promise<string> {
  const owner: Owner = { pid: process.pid, host: hostname(), token: randomBytes(8).toString("hex") };
  let waited = 0;
  for (;;) {
    if (await create(lock, owner)) return owner.token;
    const holder = await readOwner(lock);
    if (holder !== undefined && isDead(holder)) {
      await takeAway(lock, holder);
      continue;
    }
    if (waited >= timeoutMs) throw lockedError(lock, holder);
    const pause = 1 + Math.random() * LONGEST_PAUSE_MS;
    waited += pause;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** `wx` fails when the file exists: the file system decides who was first. */
async function create(lock: string, owner: Owner): Promise<boolean> {
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
    throw new SpoorError("baseline.unwritable", `${lock} cannot be made: ${(error as Error).message}.`, {
      at: { file: lock },
      consequence: "Nothing was written.",
      hint: "Check that the folder may be written to.",
      cause: error,
    });
  }
}

async function readOwner(lock: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(lock, "utf8")) as Partial<Owner>;
    const { pid, host, token } = owner;
    return typeof pid === "number" && host !== undefined && token !== undefined ? { pid, host, token } : undefined;
  } catch {
    // Released in the meantime, or not yet written: either way the next try will tell.
    return undefined;
  }
}

function isDead(owner: Owner): boolean {
  if (owner.host !== hostname()) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Only one of several waiters succeeds in renaming; a fresh lock renamed by mistake is put back. */
async function takeAway(lock: string, dead: Owner): Promise<void> {
  const aside = `${lock}.${randomBytes(6).toString("hex")}`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  const taken = await readOwner(aside);
  if (taken?.token === dead.token) await rm(aside, { force: true });
  else await rename(aside, lock);
}

async function release(lock: string, token: string): Promise<void> {
  const owner = await readOwner(lock);
  if (owner?.token === token) await rm(lock, { force: true });
}

function lockedError(lock: string, holder: Owner | undefined): SpoorError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host}`;
  return new SpoorError("baseline.locked", `${lock.replace(/\.lock$/, "")} is being written by ${who}.`, {
    at: { file: lock },
    consequence: "Nothing was written.",
    hint: `Try again. If no such process is running any more, delete ${lock}.`,
  });
}
