/**
 * The recordings in a folder, newest first: subfolders that a recorder made and in which nothing else lies. Everything else is
 * listed with the reason why it is none, so that nobody takes it for one.
 */
import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { beginOf } from "@spoor/record/internal/recorder/recording-name";
import { readWholeText } from "../load/read-text.ts";

export interface Recording {
  readonly name: string;
  readonly startedAt: Date;
  /** When something in it was last written. */
  readonly changedAt: Date;
  readonly bytes: number;
  readonly traces: number;
}

/** `link` leads elsewhere, `other_files` holds what no recorder writes, `no_recording` was made by nobody we know. */
export type NoRecording = "link" | "other_files" | "no_recording";

export interface ListedRecordings {
  readonly recordings: readonly Recording[];
  readonly others: readonly { readonly name: string; readonly why: NoRecording; readonly file?: string }[];
  /** What an interrupted removal left behind. */
  readonly leftovers: readonly string[];
}

/** A recording is renamed so before it is removed: from one moment to the next it is gone as a whole. */
export const REMOVED = ".removed-";

export function listRecordings(folder: string): ListedRecordings {
  const recordings: Recording[] = [];
  const others: { name: string; why: NoRecording; file?: string }[] = [];
  const leftovers: string[] = [];
  for (const entry of entriesOf(folder)) {
    const { name } = entry;
    if (entry.isDirectory() && name.startsWith(REMOVED)) leftovers.push(name);
    else if (entry.isSymbolicLink()) others.push({ name, why: "link" });
    else if (!entry.isDirectory()) others.push({ name, why: "no_recording" });
    else {
      const found = examine(join(folder, name), name);
      if ("why" in found) others.push({ name, ...found });
      else recordings.push(found);
    }
  }
  recordings.sort(
    (left, right) => right.startedAt.getTime() - left.startedAt.getTime() || compareCodePoints(right.name, left.name),
  );
  others.sort((left, right) => compareCodePoints(left.name, right.name));
  return { recordings, others, leftovers };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what =
      code === "ENOENT"
        ? "does not exist"
        : code === "ENOTDIR"
          ? "is no folder"
          : `cannot be read: ${(error as Error).message}`;
    throw new SpoorError("input.missing", `${folder} ${what}.`, {
      at: { file: folder },
      consequence: "Nothing was deleted.",
      hint: "Recordings lie in .spoor/recordings unless spoor record --to said otherwise.",
      cause: error,
    });
  }
}

function examine(path: string, name: string): Recording | { readonly why: NoRecording; readonly file?: string } {
  const startedAt = startOf(path, name);
  if (startedAt === undefined) return { why: "no_recording" };
  let bytes = 0;
  let traces = 0;
  let changed = 0;
  for (const file of readdirSync(path, { recursive: true, encoding: "utf8" }).sort(compareCodePoints)) {
    const facts = lstatSync(join(path, file));
    const parts = file.split(/[\\/]/);
    const isTrace = parts.length === 1 && facts.isFile() && TRACE.test(file);
    // Whatever lies in `.run` is the recorder's own; a link is nobody's.
    const isOwn = parts[0] === ".run" && (facts.isFile() || facts.isDirectory());
    if (!isTrace && !isOwn) return { why: "other_files", file };
    if (isTrace) traces++;
    if (facts.isFile()) bytes += facts.size;
    changed = Math.max(changed, facts.mtimeMs);
  }
  return { name, startedAt, changedAt: new Date(changed), bytes, traces };
}

const TRACE = /\.agentlog(\.gz)?$/;

/** As the recorder noted it; a recording that was killed before it could has its time in its name. */
function startOf(path: string, name: string): Date | undefined {
  const noted = notedStart(path);
  if (noted !== undefined) return noted;
  return hasTrace(path) ? beginOf(name) : undefined;
}

function notedStart(path: string): Date | undefined {
  try {
    const info = parseJson(readWholeText(join(path, ".run", "run.json")));
    if (stringMember(info, "schema") !== "spoor.recording/1") return undefined;
    return dateOf(stringMember(info, "started_at") ?? "");
  } catch {
    return undefined;
  }
}

function hasTrace(path: string): boolean {
  return readdirSync(path).some((file) => TRACE.test(file) && statSync(join(path, file)).isFile());
}

function dateOf(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
