/**
 * Makes a folder and those above it, at once. Not `mkdirSync` with `recursive`: where a file system refuses a name by saying "not found" (/proc
 * does), that never comes back. `makeFolder` of the command line is the same for whoever can wait.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

interface FolderOptions {
  /** Of every folder that is made. */
  readonly mode?: number;
}

export function makeFolderSync(folder: string, options: FolderOptions = {}): void {
  const parent = dirname(folder);
  try {
    makeOne(folder, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === folder) throw error;
    if (!isFolder(parent)) makeFolderSync(parent, options);
    makeOne(folder, options);
  }
}

function makeOne(folder: string, { mode }: FolderOptions): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
