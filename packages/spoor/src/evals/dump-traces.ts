/** `--dump-traces`: one `.agentlog` per run with everything the agent did, readable by every command of Spoor. */
import { join } from "node:path";
import type { Json, TraceRecord } from "@spoor/core";
import { digestJson } from "@spoor/core/internal/canonical/digest";
import { errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { writeAgentlog } from "../formats/agentlog.ts";
import { writeFileAtomically } from "../load/write-file.ts";
import { digestOfTrace } from "./dumped-trace.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { forOthers, type Redactor } from "./redact.ts";
import type { RunOutcome } from "./run-once.ts";

export const TRACES_FOLDER = join(".spoor", "traces");

/** `<case id>_attempt-<n>.agentlog`, below a folder of its own when several suites or targets are run. */
export function traceFile(folder: string, run: PlannedRun, apart: boolean): string {
  const name = `${fileNameOf(run.case.id)}_attempt-${run.run}.agentlog`;
  return apart ? join(folder, fileNameOf(`${run.suite.name}.${run.target.name}`), name) : join(folder, name);
}

const LONGEST_NAME = 120;

/** A name that is no file's becomes one, with a few digits of its digest, so that `a/b` and `a_b` never meet in one file. */
export function fileNameOf(text: string): string {
  const safe = text
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .replace(/^\./, "_")
    .slice(0, LONGEST_NAME);
  return safe === text ? text : `${safe}-${digestJson(text, 8)}`;
}

/** Digest of what was written. */
export async function dumpTrace(
  file: string,
  run: PlannedRun,
  outcome: RunOutcome,
  redactor: Redactor,
): Promise<string> {
  const { json } = forOthers(redactor);
  const records = recordsOf(run, outcome).map((record) => json(record as unknown as Json));
  const text = writeAgentlog(records as unknown as TraceRecord[]);
  await writeFileAtomically(file, text);
  return digestOfTrace(text);
}

/** A run that failed says so in its trace, and leaves one even when nothing is known of what it did. */
function recordsOf(run: PlannedRun, { trace, record }: RunOutcome): readonly TraceRecord[] {
  const { id } = run.case;
  const about = { agent: run.target.name, scenario_id: id, target: run.target.name };
  const records = trace?.records ?? [metadataRecord(`${id}#${run.run}`, about)];
  const isTold = record.error === undefined || records.some(({ kind }) => kind === "error");
  if (isTold) return records;
  return [...records, errorRecord({ source: "sdk", code: record.error!.kind, message: record.error!.message })];
}
