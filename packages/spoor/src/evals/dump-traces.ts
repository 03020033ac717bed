/** `--dump-traces`: one JSON file per run with everything the agent did, readable by every command of Spoor. */
import { join } from "node:path";
import type { Json } from "@spoor/core";
import { stringifyJson } from "@spoor/core/trace/json";
import { writeFileAtomically } from "../load/write-file.ts";
import type { PlannedRun } from "./plan-runs.ts";
import type { Redactor } from "./redact.ts";
import type { RunOutcome } from "./run-once.ts";

export const TRACES_FOLDER = join(".spoor", "traces");

/** `<case id>_attempt-<n>.json`, below a folder of its own when several suites or targets are run. */
export function traceFile(folder: string, run: PlannedRun, apart: boolean): string {
  const safe = (text: string) => text.replace(/[^A-Za-z0-9._-]/g, "_");
  const name = `${safe(run.case.id)}_attempt-${run.run}.json`;
  return apart ? join(folder, safe(`${run.suite.name}.${run.target.name}`), name) : join(folder, name);
}

export async function dumpTrace(file: string, run: PlannedRun, outcome: RunOutcome, redactor: Redactor): Promise<void> {
  const content: Json = {
    eval_id: run.case.id,
    attempt: run.run,
    target: run.target.name,
    output_messages: (outcome.messages as readonly Json[] | undefined) ?? null,
    trace_summary: (outcome.record.trace_summary as Json) ?? null,
  };
  await writeFileAtomically(file, `${stringifyJson(redactor.json(content), 2)}\n`);
}
