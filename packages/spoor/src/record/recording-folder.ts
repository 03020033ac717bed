/** Where a recording goes: a folder of its own, which only its owner may look into. */
import { chmodSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { recordingName } from "@spoor/record/internal/recorder/recording-name";
import { RECORDINGS } from "../config/recordings-folder.ts";
import { makeFolder } from "../load/make-folder.ts";
import { unwritable } from "./record-errors.ts";

export interface RecordingFolder {
  readonly path: string;
  /** As the user would type it. */
  readonly shown: string;
  /** Takes it away again when it holds no recording and was made for this one. */
  removeIfEmpty(): void;
}

export async function openRecordingFolder(
  to: string | undefined,
  { cwd, now }: { readonly cwd: string; readonly now: Date },
): Promise<RecordingFolder> {
  const path = resolve(cwd, to ?? join(RECORDINGS, recordingName(now)));
  const wasThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  try {
    await makeFolder(path);
    if (!wasThere) chmodSync(path, 0o700);
  } catch (error) {
    throw unwritable(shownPath(path, cwd), error);
  }
  return {
    path,
    shown: shownPath(path, cwd),
    removeIfEmpty() {
      if (!wasThere && !holdsRecords(path)) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Relative inside the working folder, whole outside of it. */
export function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === "" ? "." : inside === ".." || inside.startsWith(`..${sep}`) ? path : inside;
}

function holdsRecords(folder: string): boolean {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.some((entry) => entry.isFile() && entry.name !== "run.json");
}
