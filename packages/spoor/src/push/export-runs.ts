/**
 * Recordings come back from the service as the files they are kept as: one agent log for each run that a filter leaves, page by page. A file has its name
 * from what is known of the run and is written whole, so that whoever is interrupted goes on where it was: what is there is not asked for again.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@spoor/core";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { writeFileAtomically } from "../load/write-file.ts";
import { safeFileName } from "../store/baseline-store.ts";
import { askService, type Destination, findAtService, jsonOf, notOurs, type SendOptions } from "./ask-service.ts";

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
}

const AT_ONCE = 4;

export async function exportRuns(destination: Destination, options: ExportOptions): Promise<ExportedRuns> {
  const counts = { written: 0, known: 0, gone: 0 };
  for (let cursor: string | undefined, seen = 0; ; ) {
    const query = new URLSearchParams({ ...options.filter, ...(cursor === undefined ? {} : { cursor }) });
    const answer = jsonOf(await askService(destination, `/api/v1/runs?${query}`, options));
    const runs = member(answer, "runs");
    if (!Array.isArray(runs)) throw notOurs(destination.server);
    for (let at = 0; at < runs.length; at += AT_ONCE)
      for (const outcome of await Promise.all(runs.slice(at, at + AT_ONCE).map(exportRun))) counts[outcome]++;
    seen += runs.length;
    options.onPage?.(seen);
    cursor = stringMember(answer, "next");
    if (cursor === undefined) return counts;
  }

  async function exportRun(run: Json): Promise<keyof ExportedRuns> {
    const id = stringMember(run, "id");
    const number = member(run, "number");
    if (id === undefined || !/^[0-9a-f]{32,64}$/.test(id) || typeof number !== "number")
      throw notOurs(destination.server);
    const file = join(options.folder, ...placeOf(run, number));
    if (existsSync(file)) return "known";
    const bytes = await findAtService(destination, `/api/v1/runs/${id}/export`, options);
    if (bytes === undefined) return "gone";
    await writeFileAtomically(file, bytes);
    return "written";
  }
}

/** `refunds/v42/damaged-item.run1207.agentlog`: agent, release, and the run of its scenario by the service's number for it, which never changes. */
function placeOf(run: Json, number: number): readonly string[] {
  const agent = safeFileName(stringMember(run, "agent") ?? "agent");
  const release = stringMember(run, "release");
  const name = stringMember(run, "scenario") ?? stringMember(run, "name") ?? "run";
  const stem = safeFileName(name.replace(/(\.agentlog)?(\.gz)?$/, "").replace(/^.*\//, ""));
  return [agent, ...(release === undefined ? [] : [safeFileName(release)]), `${stem}.run${number}.agentlog`];
}
