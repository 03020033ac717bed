/** A file that the first to come writes, whole or not at all: it is filled under another name, and then given its own, which nobody else can take meanwhile. */
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { sweepTemporaries, temporaryBeside } from "./temporary-file.ts";

/** False when there is one already, which stays as it is. */
export function writeNewFile(path: string, content: string, mode = 0o600): boolean {
  sweepTemporaries(dirname(path));
  const draft = temporaryBeside(path);
  try {
    writeFileSync(draft, content, { flag: "wx", mode });
    return named(draft, path, content, mode);
  } finally {
    rmSync(draft, { force: true });
  }
}

function named(draft: string, path: string, content: string, mode: number): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code ?? "")) throw error;
  }
  // Some file systems give a file one name only.
  try {
    writeFileSync(path, content, { flag: "wx", mode });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
