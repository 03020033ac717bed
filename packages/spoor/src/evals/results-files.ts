/** Where results of earlier runs are, and where those of the next one go. */
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { parseRecord, readLines } from "./read-results.ts";

export const RUNS_FOLDER = join(".spoor", "runs");

/** `.spoor/runs/2026-11-14-0932.jsonl`; a second run within the minute gets a number. */
export function newResultsPath(cwd: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  const folder = join(cwd, RUNS_FOLDER);
  makeFolderSync(folder);
  for (let number = 1; ; number++) {
    const path = join(folder, `${stamp}${number === 1 ? "" : `-${number}`}.jsonl`);
    try {
      // Taken by creating it: two runs that start in the same moment must not share a file.
      closeSync(openSync(path, "wx"));
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** The newest results file that belongs to these eval files, to go on with; an empty one counts, it was killed early. */
export function findResumable(cwd: string, evalFiles: readonly string[]): string | undefined {
  const folder = join(cwd, RUNS_FOLDER);
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const newestFirst = names.sort((left, right) => -compareCodePoints(runOrder(left), runOrder(right)));
  return newestFirst.map((name) => join(folder, name)).find((path) => belongsTo(path, evalFiles));
}

function belongsTo(path: string, evalFiles: readonly string[]): boolean {
  let isEmpty = true;
  for (const line of readLines(path)) {
    const record = parseRecord(line.text());
    if (record !== undefined && evalFiles.includes(record.eval_file)) return true;
    if (record !== undefined) isEmpty = false;
  }
  return isEmpty;
}

/** `…-0932.jsonl` comes before `…-0932-2.jsonl` and that before `…-0932-10.jsonl`. */
function runOrder(name: string): string {
  const match = /^(\d{4}-\d{2}-\d{2}-\d{4})(?:-(\d+))?\.jsonl$/.exec(name);
  return match === null ? name : `${match[1]}-${(match[2] ?? "1").padStart(6, "0")}`;
}
