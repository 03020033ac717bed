/**
 * The traces of some paths, and what becomes of them: files that grow, come and go. A file is read again when its size or its time has
 * changed. One that cannot be read stands on a list with the reason; what was read of it before is kept, because it may only be half
 * written at this moment.
 */
import { statSync } from "node:fs";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { nameTraces } from "@spoor/core/internal/trace/trace-name";
import { withoutCompanions } from "../load/claude-companions.ts";
import { findFiles } from "../load/find-files.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import type { LoadOptions } from "../load/read-trace-file.ts";

export interface TraceShelf {
  /** Rises with every change. */
  readonly version: number;
  readonly traces: readonly Trace[];
  /** Files that could not be read. */
  readonly unread: readonly UnreadFile[];
  find(key: string): Trace | undefined;
  /** Looks at the files again; whether anything is another than before. */
  refresh(): Promise<boolean>;
}

export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

interface KnownFile {
  readonly stamp: string;
  readonly traces: readonly Trace[];
  readonly why?: string;
}

/** Reads everything once. A path that names nothing is an error now; a folder may be empty, because it may be filled later. */
export async function openTraceShelf(paths: readonly string[], options: LoadOptions): Promise<TraceShelf> {
  const files = new Map<string, KnownFile>();
  let version = 0;
  let traces: readonly Trace[] = [];
  let byKey = new Map<string, Trace>();
  let looking: Promise<boolean> | undefined;

  async function look(): Promise<boolean> {
    const found = withoutCompanions(paths.flatMap(filesAt));
    const gone = [...files.keys()].filter((file) => !found.includes(file));
    let isOther = gone.length > 0;
    for (const file of gone) files.delete(file);
    for (const file of found) {
      const stamp = stampOf(file);
      const known = files.get(file);
      if (known?.stamp === stamp) continue;
      files.set(file, { stamp, ...(await read(file, known?.traces ?? [])) });
      isOther = true;
    }
    if (!isOther) return false;
    // In the order of the paths, whichever file came last.
    traces = nameTraces(found.flatMap((file) => files.get(file)!.traces));
    byKey = new Map(traces.map((trace) => [trace.key, trace]));
    version++;
    return true;
  }

  async function read(file: string, before: readonly Trace[]): Promise<Pick<KnownFile, "traces" | "why">> {
    try {
      return { traces: await loadTraceFile(file, options) };
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      return { traces: before, why: error.message };
    }
  }

  for (const path of paths) requireSomething(path);
  await look();
  return {
    get version() {
      return version;
    },
    get traces() {
      return traces;
    },
    get unread() {
      return [...files].flatMap(([file, { why }]) => (why === undefined ? [] : [{ file, why }]));
    },
    find: (key) => byKey.get(key),
    /** One look at a time: who asks meanwhile waits for the same. */
    refresh() {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

function requireSomething(path: string): void {
  try {
    findFiles(path);
  } catch (error) {
    if (!(error instanceof SpoorError) || error.code !== "input.empty-folder") throw error;
  }
}

function filesAt(path: string): string[] {
  try {
    return findFiles(path);
  } catch (error) {
    if (error instanceof SpoorError) return [];
    throw error;
  }
}

function stampOf(file: string): string {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts === undefined ? "" : `${facts.size} ${facts.mtimeMs} ${facts.ino}`;
}
