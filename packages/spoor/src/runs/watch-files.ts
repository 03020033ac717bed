/**
 * Files that change while somebody works on them. Folders are watched one by one, so that those that are passed over cost nothing; a file
 * that is only touched has not changed; several changes that come together are told once.
 */
import { createHash } from "node:crypto";
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { join, relative, sep } from "node:path";

export interface WatchOptions {
  /** Whether a path, relative to the root and with slashes, is looked at; folders are asked with a slash at the end. */
  readonly looksAt: (path: string) => boolean;
  readonly onChange: (paths: readonly string[]) => void;
  /** How long it must be quiet. */
  readonly quietMs: number;
}

export interface FileWatch {
  close(): void;
}

export function watchFiles(root: string, { looksAt, onChange, quietMs }: WatchOptions): FileWatch {
  const folders = new Map<string, FSWatcher>();
  const digests = new Map<string, string | undefined>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  open(root, false);
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of folders.values()) watcher.close();
      folders.clear();
    },
  };

  /** `isNew`: made while we were looking, so what lies in it is new as well. */
  function open(folder: string, isNew: boolean): void {
    if (folders.has(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) look(join(folder, name));
    });
    // A folder that is taken away ends its watch with an error.
    watcher.on("error", () => forget(folder));
    folders.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (looksAt(`${nameOf(path)}/`)) open(path, isNew);
      } else if (isNew) look(path);
      else if (looksAt(nameOf(path))) digests.set(path, digestOf(path));
    }
  }

  function forget(folder: string): void {
    folders.get(folder)?.close();
    folders.delete(folder);
  }

  function look(path: string): void {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts?.isDirectory()) {
      if (looksAt(`${nameOf(path)}/`)) open(path, true);
      return;
    }
    if (facts === undefined) forget(path);
    if (!looksAt(nameOf(path))) return;
    const digest = digestOf(path);
    if (digests.has(path) ? digests.get(path) === digest : digest === undefined) return;
    digests.set(path, digest);
    changed.add(nameOf(path));
    clearTimeout(timer);
    timer = setTimeout(tell, quietMs);
  }

  function tell(): void {
    const paths = [...changed].sort();
    changed.clear();
    onChange(paths);
  }

  function nameOf(path: string): string {
    return relative(root, path).split(sep).join("/");
  }
}

/** Undefined for a file that is not there, or not to be read. */
function digestOf(path: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("base64");
  } catch {
    return undefined;
  }
}
