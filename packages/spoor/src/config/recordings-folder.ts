/** Where recordings go unless told otherwise, and which of them hold the runs that a configuration asked for. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const RECORDINGS = join(".spoor", "recordings");
/** Beside the traces: which runs were planned, so that a later command can complete them. */
export const RUNS_NOTE = join(".run", "runs.json");

/** The newest folder of planned runs below `recordings`: names sort by time. */
export function newestRuns(recordings: string): string | undefined {
  if (statSync(recordings, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const names = readdirSync(recordings).sort().reverse();
  return names.map((name) => join(recordings, name)).find((folder) => existsSync(join(folder, RUNS_NOTE)));
}
