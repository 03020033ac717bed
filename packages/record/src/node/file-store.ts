/**
 * Sessions as files of a folder, one each, for processes of one machine: each change is made under a lock, and a file is never
 * half-written. The lock is made whole (a link to a file that names its owner), so that a process that dies leaves nothing
 * behind that others could not read; a lock whose owner is gone, or that nobody could still be at work under, is taken over.
 */
import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { SessionStore } from "../store/session-store.ts";
import { makeFolderSync } from "./make-folder.ts";
import { isRunning, sweepTemporaries, temporaryBeside } from "./temporary-file.ts";

export interface FileStoreOptions {
  /** How long to wait for another process; 5 seconds unless told otherwise. The event loop waits too. */
  readonly timeoutMs?: number;
}

export interface FileStore extends SessionStore {
  /** Forgets the sessions that nothing happened in for so long, and says how many there were. */
  prune(idleMs: number): number;
}

const DEFAULT_TIMEOUT_MS = 5_000;
/** A change takes milliseconds: whoever holds a lock for so long was killed, or its number is another process's now. */
const STALE_MS = 15_000;
const SUFFIX = ".session.json";

export function createFileStore(folder: string, { timeoutMs = DEFAULT_TIMEOUT_MS }: FileStoreOptions = {}): FileStore {
  return {
    update(id, change) {
      const file = join(folder, `${fileStem(id)}${SUFFIX}`);
      const lock = acquire(file, folder, timeoutMs);
      try {
        const found = readIfAny(file);
        const { saved, result } = change(found);
        if (saved === undefined) rmSync(file, { force: true });
        else if (saved !== found) write(file, saved, lock);
        return result;
      } finally {
        if (holds(lock)) rmSync(lock.path, { force: true });
      }
    },
    prune(idleMs) {
      const old = readdirSync(folder).filter(
        (name) => name.endsWith(SUFFIX) && Date.now() - statSync(join(folder, name)).mtimeMs > idleMs,
      );
      for (const name of old) rmSync(join(folder, name), { force: true });
      return old.length;
    },
  };
}

interface Lock {
  readonly path: string;
  readonly token: string;
}

interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

function acquire(file: string, folder: string, timeoutMs: number): Lock {
  const token = randomBytes(8).toString("hex");
  const lock = { path: `${file}.lock`, token };
  const owner: Owner = { pid: process.pid, host: hostname(), token };
  const own = temporaryBeside(lock.path);
  try {
    makeFolderSync(folder);
    sweepTemporaries(folder);
    writeFileSync(own, JSON.stringify(owner));
    for (let waited = 0; ; waited += pause()) {
      if (link(own, lock.path)) return lock;
      if (isAbandoned(lock.path)) takeAway(lock.path);
      else if (waited >= timeoutMs) throw storeError(`${file} is held by another process`);
    }
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    throw storeError(`${folder} cannot be written: ${(error as Error).message}`, error);
  } finally {
    rmSync(own, { force: true });
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function pause(): number {
  const ms = 1 + Math.random() * 9;
  Atomics.wait(SLEEP, 0, 0, ms);
  return ms;
}

function isAbandoned(path: string): boolean {
  try {
    const owner = JSON.parse(readFileSync(path, "utf8")) as Partial<Owner>;
    if (owner.host === hostname() && typeof owner.pid === "number" && !isRunning(owner.pid)) return true;
    return ageOf(path) > STALE_MS;
  } catch (error) {
    // Released in the meantime; or rubbish, which a crash of the machine leaves: nobody holds it.
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || (code === undefined && ageOf(path) > STALE_MS);
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** Of several that find a lock abandoned only one can rename it; one that is fresh again by then is put back. */
function takeAway(path: string): void {
  const aside = temporaryBeside(path);
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (!isAbandoned(aside)) link(aside, path);
  rmSync(aside, { force: true });
}

function holds({ path, token }: Lock): boolean {
  try {
    return (JSON.parse(readFileSync(path, "utf8")) as Partial<Owner>).token === token;
  } catch {
    return false;
  }
}

function write(file: string, text: string, lock: Lock): void {
  const temporary = temporaryBeside(file);
  try {
    writeFileSync(temporary, text);
    // Whoever slept too long has lost the lock, and with it the right to write.
    if (!holds(lock)) throw storeError(`the lock of ${file} was lost`);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof SpoorError) throw error;
    throw storeError(`${file} cannot be written: ${(error as Error).message}`, error);
  }
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw storeError(`${file} cannot be read: ${(error as Error).message}`, error);
  }
}

/** Ids come from outside: only harmless characters reach the file system, and a hash keeps two ids apart. */
function fileStem(id: string): string {
  return `${id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60)}-${digestText(id, 16)}`;
}

function storeError(what: string, cause?: unknown): SpoorError {
  return new SpoorError("guard.store", `The session cannot be kept: ${what}.`, {
    hint: "Give createFileStore a folder that this process may write to.",
    consequence: "Nothing is let through.",
    cause,
  });
}
