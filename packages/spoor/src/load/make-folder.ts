import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

interface FolderOptions {
  /** Of every folder that is made. */
  readonly mode?: number;
}

/**
 * Makes a folder and those above it. Not `mkdir` with `recursive`: where a file system refuses a name by saying "not
 * found" (/proc does), that never comes back.
 */
export async function makeFolder(folder: string, options: FolderOptions = {}): Promise<void> {
  const parent = dirname(folder);
  try {
    await makeOne(folder, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === folder) throw error;
    // The folder above may have been made in the meantime, by another writer: then the second try tells.
    if (!(await isFolder(parent))) await makeFolder(parent, options);
    await makeOne(folder, options);
  }
}

async function makeOne(folder: string, { mode }: FolderOptions): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await isFolder(folder))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
