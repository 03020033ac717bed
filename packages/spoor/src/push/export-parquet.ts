/**
 * Figures of the service as Parquet, for whoever asks questions over many runs: `AGENT/2026-11-16/runs.parquet` and `steps.parquet`, a day (UTC) of an
 * agent each. A file holds the whole day and is replaced whole, so that exporting again never counts anything twice.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { member } from "@spoor/core/internal/trace/json";
import { readTrace } from "../load/read-trace.ts";
import { writeFileAtomically } from "../load/write-file.ts";
import { type Destination, findAtService, notOurs, type SendOptions } from "./ask-service.ts";
import { agentFolder } from "./export-runs.ts";
import { createParquetFile, type ParquetFile } from "./parquet/parquet-file.ts";
import { type RunRow, runColumns, type StepRow, stepColumns } from "./parquet/run-tables.ts";
import { fewAtOnce, type ListedRun, runPages } from "./run-pages.ts";

export interface ParquetOptions extends SendOptions {
  readonly folder: string;
  readonly agent?: string;
  /** Days from 1970 on: the first of them, and the one before which it ends. */
  readonly firstDay?: number;
  readonly endDay?: number;
  /** Hears how many runs were looked at so far, after each page. */
  readonly onPage?: (runs: number) => void;
}

export interface ExportedTables {
  readonly runs: number;
  readonly steps: number;
  /** Runs whose recordings the service keeps no more: their figures are there, their steps are not. */
  readonly gone: number;
  readonly files: number;
}

export const DAY_MS = 86_400_000;

export async function exportParquet(destination: Destination, options: ParquetOptions): Promise<ExportedTables> {
  const counts = { runs: 0, steps: 0, gone: 0, files: 0 };
  const { agent, firstDay = 0 } = options;
  // With runs that were replaced: a day of which nothing else is left has a file, perhaps, that still counts them.
  const asked = { replaced: "1", ...(agent === undefined ? {} : { agent }) };
  for (let end = options.endDay; ; ) {
    const day = await newestDay(firstDay, end);
    if (day === undefined) return counts;
    await exportDay(day);
    end = day;
  }

  /** The last day with a run before `end`. The list is in the order of numbers, and a trace of spans may get its number after midnight. */
  async function newestDay(first: number, end: number | undefined): Promise<number | undefined> {
    for (let from = first, newest: number | undefined; ; from = newest + 1) {
      const filter = { ...asked, limit: "1", ...between(from, end) };
      const { value: page = [] } = await runPages(destination, filter, options).next();
      const [run] = page as readonly ListedRun[];
      if (run === undefined) return newest;
      const day = Math.floor(run.receivedAt / DAY_MS);
      // Whoever answers with other days than those that were asked for would be asked for ever.
      if (day < from || (end !== undefined && day >= end)) throw notOurs(destination.server);
      newest = day;
    }
  }

  async function exportDay(day: number): Promise<void> {
    const tables = new Map<string, Tables>();
    for await (const page of runPages(destination, { ...asked, ...between(day, day + 1) }, options)) {
      for (const { facts } of page) {
        const folder = agentFolder(facts);
        if (!tables.has(folder)) tables.set(folder, openTables());
      }
      const counted = page.filter(({ facts }) => member(facts, "supersededBy") === undefined);
      for await (const row of fewAtOnce(counted, readRun)) {
        const { runs, steps } = tables.get(agentFolder(row.facts))!;
        runs.add(row);
        for (const [position, step] of (row.steps ?? []).entries()) steps.add({ run: row, step, position });
        if (row.steps === undefined) counts.gone++;
      }
      options.onPage?.(counts.runs + sum(tables.values()));
    }
    for (const [folder, { runs, steps }] of tables) {
      const place = join(options.folder, folder, new Date(day * DAY_MS).toISOString().slice(0, 10));
      if (runs.rows === 0 && !existsSync(join(place, "runs.parquet"))) continue;
      await writeFileAtomically(join(place, "steps.parquet"), steps.finish());
      await writeFileAtomically(join(place, "runs.parquet"), runs.finish());
      counts.runs += runs.rows;
      counts.steps += steps.rows;
      counts.files += 2;
    }
  }

  async function readRun(run: ListedRun): Promise<RunRow> {
    const bytes = await findAtService(destination, `/api/v1/runs/${run.id}/export`, options);
    return { ...run, steps: bytes === undefined ? undefined : (await readTrace(bytes)).steps };
  }
}

interface Tables {
  readonly runs: ParquetFile<RunRow>;
  readonly steps: ParquetFile<StepRow>;
}

function openTables(): Tables {
  return { runs: createParquetFile(runColumns), steps: createParquetFile(stepColumns) };
}

function sum(tables: Iterable<Tables>): number {
  let rows = 0;
  for (const { runs } of tables) rows += runs.rows;
  return rows;
}

function between(first: number, end: number | undefined): Readonly<Record<string, string>> {
  return { from: String(first * DAY_MS), ...(end === undefined ? {} : { to: String(end * DAY_MS) }) };
}
