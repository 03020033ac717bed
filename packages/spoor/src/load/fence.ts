/**
 * Where files may be read while a stranger says which: an agent that asks over MCP names paths that somebody's trace may have put into its
 * head. Inside a fence whatever is opened is looked at by its descriptor, after it was opened, so that nothing can be exchanged between the
 * look and the reading; and nothing is run or fetched. A fence without folders opens nothing at all: what its commands may know was given to
 * them. Outside of one nothing changes.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { closeSync, constants, fstatSync, openSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { isInside } from "./is-inside.ts";

export interface Fence {
  /** Real paths of folders. */
  readonly roots: readonly string[];
  readonly mostBytes: number;
  /** Texts that came with the question, by the path they are called by. */
  readonly given?: ReadonlyMap<string, string>;
  /** Runs that lie in no file. */
  readonly runs?: GivenRuns;
}

export interface GivenRuns {
  /** What a name on a command line stands for: single runs, in their order. */
  readonly named: ReadonlyMap<string, readonly string[]>;
  /** A single run, by the name that stands for it alone. */
  readonly traces: ReadonlyMap<string, Trace>;
}

const current = new AsyncLocalStorage<Fence>();

export function withinFence<T>(fence: Fence, work: () => T): T {
  return current.run(fence, work);
}

/** A text that came with the question. */
export function givenText(path: string): string | undefined {
  return current.getStore()?.given?.get(path);
}

/** The single runs that a name stands for; undefined where it stands for files. */
export function givenRuns(name: string): readonly string[] | undefined {
  const runs = current.getStore()?.runs;
  return runs?.named.get(name) ?? (runs?.traces.has(name) ? [name] : undefined);
}

/** A single run that lies in no file. */
export function givenTrace(name: string): Trace | undefined {
  return current.getStore()?.runs?.traces.get(name);
}

/** A descriptor for reading; undefined where there is no fence, and whoever asks opens the file as ever. */
export function openInFence(path: string): number | undefined {
  const fence = current.getStore();
  if (fence === undefined) return undefined;
  requireInside(path);
  // Without waiting: a pipe that nobody fills would hold everything up before it could be refused.
  const handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const opened = fstatSync(handle);
    if (opened.isDirectory()) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
    if (!opened.isFile()) throw refused(path, "is no ordinary file");
    if (opened.size > fence.mostBytes)
      throw refused(path, `is larger than ${Math.floor(fence.mostBytes / 1024 ** 2)} MiB`);
    if (!isSame(opened, statSync(allowed(path, fence)))) throw refused(path, "was exchanged while it was opened");
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** Refuses a path that leads out of the fence, whether or not there is anything. */
export function requireInside(path: string): void {
  const fence = current.getStore();
  if (fence !== undefined) allowed(path, fence);
}

/** Whether a path may be looked at: of what lies outside of a fence not even that it is there is told. */
export function mayLook(path: string): boolean {
  const fence = current.getStore();
  if (fence === undefined) return true;
  try {
    allowed(path, fence);
    return true;
  } catch {
    return false;
  }
}

/** Nothing is run, and nobody is asked, for a stranger. */
export function refuseInFence(what: string): void {
  if (current.getStore() === undefined) return;
  throw new SpoorError("mcp.refused", `${what} is not done here.`, {
    hint: "Over MCP Spoor only reads. Run the command in a terminal.",
  });
}

/** Where the path really leads; what is missing is taken to lie where its folder is. */
function allowed(path: string, { roots, runs }: Fence): string {
  if (runs !== undefined) throw noFiles(path);
  const real = realPath(resolve(path));
  const root = roots.find((one) => isInside(real, one));
  if (root === undefined) throw refused(path, "lies outside the folders that may be read");
  const hidden = relative(root, real)
    .split(sep)
    .find((name) => name.startsWith(".") && name !== ".spoor");
  if (hidden !== undefined) throw refused(path, `lies in ${hidden}, and hidden files are not read`);
  return real;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== "ENOENT" && code !== "ENOTDIR") || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function refused(path: string, why: string): SpoorError {
  return new SpoorError("mcp.refused", `${path} ${why}.`, {
    at: { file: path },
    consequence: "Nothing of it was read.",
    hint: "Over MCP Spoor reads ordinary files below the client's roots and the folders of --root.",
  });
}

function noFiles(path: string): SpoorError {
  return new SpoorError("mcp.refused", `${path} is a file, and files are not read here.`, {
    consequence: "Nothing of it was read.",
    hint: "A service knows runs by their ids and by AGENT@RELEASE: search_runs finds them.",
  });
}
