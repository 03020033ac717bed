/**
 * Where a file that is to be written really ends up. A link is followed, also one that leads nowhere yet: what it names is
 * written, and the link stays. A device or a pipe is written to as it is and never replaced; a folder, a socket and a disk are
 * refused in words.
 */
import { constants } from "node:fs";
import { lstat, open, readlink, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface WriteDestination {
  readonly path: string;
  /** `file`: written beside it and renamed. `stream`: there is nothing to rename, bytes go in as they come. */
  readonly kind: "file" | "stream";
  /** Of the file that is replaced. */
  readonly mode?: number;
}

export async function writeDestination(file: string): Promise<WriteDestination> {
  const found = await stat(file).catch(absent);
  if (found === undefined) return { path: await endOfLinks(file), kind: "file" };
  if (found.isFile()) return { path: await endOfLinks(file), kind: "file", mode: found.mode & 0o777 };
  if (found.isDirectory()) throw new Error("it is a folder");
  if (found.isSocket()) throw new Error("it is a socket, to which nothing can be written as to a file");
  if (found.isBlockDevice()) throw new Error("it is a disk, and writing to it would destroy what is on it");
  if (found.isFIFO()) await requireReader(file);
  return { path: file, kind: "stream" };
}

function absent(error: NodeJS.ErrnoException): undefined {
  // What is behind too many links, or behind a folder that may not be entered, is no free place.
  if (error.code !== "ENOENT") throw error;
}

/** Not `realpath`: that fails for a link whose file is not there yet. */
async function endOfLinks(file: string): Promise<string> {
  let path = file;
  for (let step = 0; step < MOST_LINKS; step++) {
    const found = await lstat(path).catch(absent);
    if (found === undefined || !found.isSymbolicLink()) return path;
    path = resolve(dirname(path), await readlink(path));
  }
  throw new Error("it is a link that leads in a circle");
}

const MOST_LINKS = 40;

/** Opening a pipe waits for its reader, for ever when there is none: whoever waits cannot say why. */
async function requireReader(pipe: string): Promise<void> {
  try {
    const probe = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    await probe.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
    throw new Error("it is a pipe that nobody reads", { cause: error });
  }
}
