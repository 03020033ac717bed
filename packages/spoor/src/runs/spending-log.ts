/** What was spent on the runs of a folder, a line for each run as it ends, so that going on later counts what was spent before. */
import { appendFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, numberMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { readWholeText } from "../load/read-text.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";
import type { Spending } from "./spending.ts";

const LOG = join(".run", "spent.jsonl");

export function appendSpending(folder: string, { scenario, run, side }: PlannedRun, spent: Spending): void {
  const file = join(folder, LOG);
  makeFolderSync(dirname(file));
  appendFileSync(file, `${JSON.stringify({ scenario, run, side, ...spent })}\n`);
}

/** A line that was cut off by a kill is the only one that may be missing. */
export function readSpending(folder: string): Spending[] {
  const file = join(folder, LOG);
  if (!existsSync(file)) return [];
  return readWholeText(file)
    .split("\n")
    .flatMap((line): Spending[] => {
      try {
        const entry = parseJson(line);
        return isObject(entry) && numberMember(entry, "tokens") !== undefined ? [entry as unknown as Spending] : [];
      } catch {
        return [];
      }
    });
}
