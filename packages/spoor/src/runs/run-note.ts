/** What lies beside the recordings of planned runs, so that a later command knows the folder for one that can be completed. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { RUNS_NOTE } from "../config/recordings-folder.ts";
import { writeFileAtomically } from "../load/write-file.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";

/** `base`: the name of the folder beside this one that holds the base's runs. */
export async function writeRunNote(folder: string, planned: readonly PlannedRun[], base?: string): Promise<void> {
  const file = join(folder, RUNS_NOTE);
  mkdirSync(dirname(file), { recursive: true });
  const runs = planned.filter(({ side }) => side === "candidate").map(({ scenario, run }) => ({ scenario, run }));
  const note = { schema: "spoor.runs/1", runs, ...(base === undefined ? {} : { base }) };
  await writeFileAtomically(file, `${JSON.stringify(note)}\n`);
}

/** The folder that holds the base's runs of a folder of runs; undefined when they were made without a base. */
export function baseRunsOf(folder: string): string | undefined {
  const base = stringMember(parseJson(readFileSync(join(folder, RUNS_NOTE), "utf8")), "base");
  return base === undefined ? undefined : join(dirname(folder), base);
}
