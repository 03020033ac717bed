/** Bytes on the disk for runs with everything that their evaluation gives, against the gzip of each run's own records. */
import { gzipSync } from "node:zlib";
import { evaluateArrival } from "@spoor/server/internal/stages/evaluate-arrival";
import { unpackBody } from "@spoor/server/internal/stages/stored-body";
import type { StoreEngine } from "@spoor/server/internal/store/engine/engine";
import { createInbox } from "@spoor/server/internal/store/inbox";
import { createProjects } from "@spoor/server/internal/store/projects";
import type { Codec } from "@spoor/server/internal/store/store";
import { sql } from "kysely";
import type { BenchmarkRow } from "../benchmark.ts";
import { type BenchEngine, openBenchEngine } from "./bench-engine.ts";
import { agentlogOf, arrivalOf } from "./recordings.ts";
import type { ServerFigures } from "./server-figures.ts";

const RUNS = 1_000;
const MOST = 1.4;

export async function storedBytesRows(
  engines: readonly BenchEngine[],
  figures: ServerFigures,
): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const bench of engines) {
    const engine = await openBenchEngine(bench, await bench.empty("bytes"));
    const empty = await bytesOf(engine);
    const packed = await fill(engine);
    const filled = await bytesOf(engine);
    const stored = filled - empty;
    await sql`delete from bodies`.execute(engine.db);
    const body = (filled - (await bytesOf(engine))) / RUNS;
    figures.bytes[bench.kind] = { body, all: stored / RUNS };
    await engine.close();
    rows.push({
      what: `stored bytes of a run, ${bench.name}`,
      measured: `${(stored / packed).toFixed(2)} times`,
      against: `gzip of its records, ${(packed / RUNS / 1000).toFixed(1)} KB a run, ${RUNS.toLocaleString("en")} runs of 5 to 25 turns`,
      kept: stored <= MOST * packed,
    });
  }
  return rows;
}

/** The bytes of every run's records as gzip packs them. */
async function fill(engine: StoreEngine): Promise<number> {
  const { id: projectId } = await createProjects(engine, Date.now).ensure("bench");
  const inbox = createInbox(engine, Date.now);
  for (let at = 0; at < RUNS; at += 100) {
    const texts = Array.from({ length: 100 }, (_, index) => agentlogOf(at + index));
    await inbox.append(texts.map((text) => arrivalOf(projectId, text, `v${at % 500}`)));
    await inbox.claim(200, (arrivals) =>
      Promise.all(arrivals.map((one) => evaluateArrival(one, async () => ({ today: "2026-11-16" })))),
    );
  }
  const { rows } = await sql<{
    readonly codec: Codec;
    readonly bytes: Uint8Array;
  }>`select codec, body as bytes from bodies`.execute(engine.db);
  if (rows.length !== RUNS) throw new Error(`${rows.length} of ${RUNS} runs were stored.`);
  // At the usual level, whatever the store packs with.
  return rows.reduce((sum, body) => sum + gzipSync(unpackBody(body)).length, 0);
}

/** Without what is free to be used again. */
async function bytesOf(engine: StoreEngine): Promise<number> {
  if (engine.kind === "libsql") return (await engine.shrink()) ?? 0;
  await sql`vacuum full`.execute(engine.db);
  const { rows } = await sql<{
    readonly bytes: number;
  }>`select coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = current_schema() and relkind = 'r'`.execute(
    engine.db,
  );
  return rows[0]?.bytes ?? 0;
}
