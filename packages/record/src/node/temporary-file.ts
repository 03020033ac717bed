/**
 * Names for files and folders that exist only for a moment: drafts that are renamed into place, locks that are put aside. A name says which process
 * of which machine made it, so that one that a killed process left behind is known as such, and removed by whoever writes there next.
 */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/**
 * A name in the same folder that nobody else takes; folders of traces and baselines are read without such names. What is still
 * needed after its process has died (the drafts that a journal names) has an ending of its own, and is swept by whoever knows the journal.
 */
export function temporaryBeside(path: string, ending: Ending = "tmp"): string {
  const unique = `${hostMark()}-${process.pid.toString(36)}-${randomBytes(6).toString("hex")}`;
  return join(dirname(path), `.${basename(path)}.${unique}.${ending}`);
}

type Ending = "tmp" | "draft";

const TEMPORARY = /^\..+\.([0-9a-f]{6})-([0-9a-z]+)-[0-9a-f]{12}\.(tmp|draft)$/;
/** Of another machine, or of a process whose number is another's now: nobody writes one file for so long. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
const swept = new Set<string>();

/** Removes what killed processes left in a folder; a process looks into each folder once. */
export function sweepTemporaries(folder: string, ending: Ending = "tmp"): void {
  if (swept.has(`${ending} ${folder}`)) return;
  swept.add(`${ending} ${folder}`);
  try {
    for (const name of readdirSync(folder)) {
      const made = TEMPORARY.exec(name);
      if (made === null || made[3] !== ending) continue;
      if (isAbandoned(join(folder, name), made[1]!, Number.parseInt(made[2]!, 36)))
        rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // A folder that cannot be tidied can perhaps be written to all the same; that is for the write to find out.
  }
}

function isAbandoned(path: string, host: string, pid: number): boolean {
  if (host === hostMark() && !isRunning(pid)) return true;
  return Date.now() - statSync(path).mtimeMs > ABANDONED_AFTER_MS;
}

/** Whether a process of this machine has the number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

let mark: string | undefined;

function hostMark(): string {
  mark ??= createHash("sha256").update(hostname()).digest("hex").slice(0, 6);
  return mark;
}
