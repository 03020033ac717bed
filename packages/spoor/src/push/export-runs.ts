/**
 * Recordings come back from the service as the files they are kept as: one agent log for each run that a filter leaves, page by page. A file has its name
 * from what is known of the run and is written whole, so that whoever is interrupted goes on where it was: what is there is not asked for again.
 */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { unwritableError, writeFileAtomically } from "../load/write-file.ts";
import { safeFileName } from "../store/baseline-store.ts";
import { type Destination, findAtService, type SendOptions } from "./ask-service.ts";
import { fewAtOnce, type ListedRun, runPages } from "./run-pages.ts";

export interface ExportOptions extends SendOptions {
  /** Filters of the service's list of runs: agent, release, scenario, from, to. */
  readonly filter: Readonly<Record<string, string>>;
  /** The folder into which they go. */
  readonly folder: string;
  /** Hears how many runs were looked at so far, after each page. */
  readonly onPage?: (runs: number) => void;
}

export interface ExportedRuns {
  readonly written: number;
  /** That were in the folder already. */
  readonly known: number;
  /** Whose recordings the service keeps no more. */
  readonly gone: number;
  /** That later spans replaced: their files were taken away. */
  readonly replaced: number;
}

export async function exportRuns(destination: Destination, options: ExportOptions): Promise<ExportedRuns> {
  const counts = { written: 0, known: 0, gone: 0, replaced: 0 };
  let seen = 0;
  // With those that were replaced: an earlier export may have written them, and their trace would be there twice.
  for await (const runs of runPages(destination, { ...options.filter, replaced: "1" }, options)) {
    for await (const outcome of fewAtOnce(runs, exportRun)) if (outcome !== undefined) counts[outcome]++;
    seen += runs.length;
    options.onPage?.(seen);
  }
  return counts;

  async function exportRun(run: ListedRun): Promise<keyof ExportedRuns | undefined> {
    const file = join(options.folder, ...placeOf(run));
    const isThere = existsSync(file);
    if (member(run.facts, "supersededBy") !== undefined) return isThere ? takeAway(file) : undefined;
    if (isThere) return "known";
    const bytes = await findAtService(destination, `/api/v1/runs/${run.id}/export`, options);
    if (bytes === undefined) return "gone";
    await writeFileAtomically(file, bytes);
    return "written";
  }
}

async function takeAway(file: string): Promise<"replaced"> {
  try {
    await rm(file);
    return "replaced";
  } catch (error) {
    throw unwritableError(file, error);
  }
}

/** `refunds/v42/damaged-item.run1207.agentlog`: agent, release, and the run of its scenario by the service's number for it, which never changes. */
function placeOf({ facts, number }: ListedRun): readonly string[] {
  const release = stringMember(facts, "release");
  const name = stringMember(facts, "scenario") ?? stringMember(facts, "name") ?? "run";
  const stem = safeFileName(name.replace(/(\.agentlog)?(\.gz)?$/, "").replace(/^.*\//, ""));
  return [
    agentFolder(facts),
    ...(release === undefined ? [] : [safeFileName(release)]),
    `${stem}.run${number}.agentlog`,
  ];
}

/** The folder in which everything of an agent goes. */
export function agentFolder(facts: ListedRun["facts"]): string {
  return safeFileName(stringMember(facts, "agent") ?? "agent");
}
