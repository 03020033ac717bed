/** What lies beside the recordings of planned runs: later commands know from it what the folder holds and what is missing. */
import { dirname, join } from "node:path";
import type { Json } from "@spoor/core";
import type { EarlyStop } from "@spoor/core/internal/cohort/sequential-cohort";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { readWholeTextIfThere } from "../load/read-text.ts";
import { writeFileAtomically } from "../load/write-file.ts";
import { RUNS_NOTE } from "./recordings-folder.ts";

export interface RunNote {
  readonly runs: readonly { readonly scenario: string; readonly run: number }[];
  /** The name of the folder beside this one that holds the base's runs. */
  readonly base?: string;
  /** Why not all of them were made. */
  readonly earlyStop?: EarlyStop;
}

const SCHEMA = "spoor.runs/1";

export async function writeRunNote(folder: string, note: RunNote): Promise<void> {
  const file = join(folder, RUNS_NOTE);
  makeFolderSync(dirname(file));
  await writeFileAtomically(file, `${JSON.stringify({ schema: SCHEMA, ...note })}\n`);
}

/** Undefined when the folder holds no planned runs. */
export function readRunNote(folder: string): RunNote | undefined {
  const file = join(folder, RUNS_NOTE);
  let note: Json;
  try {
    const text = readWholeTextIfThere(file);
    if (text === undefined) return undefined;
    note = parseJson(text);
  } catch (error) {
    throw unreadable(file, error);
  }
  if (stringMember(note, "schema") !== SCHEMA) throw unreadable(file);
  return note as unknown as RunNote;
}

/** Where the base's runs of a folder are; undefined when they were made without a base. */
export function baseRunsOf(folder: string): string | undefined {
  const base = readRunNote(folder)?.base;
  return base === undefined ? undefined : join(dirname(folder), base);
}

function unreadable(file: string, cause?: unknown): SpoorError {
  return new SpoorError("run.note", `${file} does not say which runs lie here.`, {
    at: { file },
    consequence: "Nothing was judged: runs that are missing would not be noticed.",
    hint: "It is written by spoor gate --run; make the runs again.",
    cause,
  });
}
