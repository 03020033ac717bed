/** What the shared service costs. Each part is a file of `server/`. */
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { evaluationRows } from "./server/evaluation.ts";
import { ingestRows } from "./server/ingest.ts";
import { pageRows } from "./server/newest-page.ts";
import { storedBytesRows } from "./server/stored-bytes.ts";
import { whileEvaluatingRows } from "./server/while-evaluating.ts";
import { workerRows } from "./server/workers.ts";

export const serverBenchmark: Benchmark = {
  name: "server",
  promise:
    "taking a recording costs at most 4 times unpacking, parsing and hashing it, evaluating it at most twice what the same lenses cost on files, nobody waits more than 2.5 times as long while others are evaluated, two workers do 1.7 times the work of one, a run takes at most 1.4 times the bytes of its own gzip, and the newest page costs the same whatever lies behind it",
  async run({ only }) {
    const rows: BenchmarkRow[] = [];
    for (const [name, measure] of PARTS) if (only === undefined || only.includes(name)) rows.push(...(await measure()));
    return rows;
  },
};

/** PostgreSQL is measured too where SPOOR_BENCH_STORE names an empty database; without it the workers have no row. */
const PARTS: readonly (readonly [string, () => Promise<BenchmarkRow[]>])[] = [
  ["ingest", ingestRows],
  ["evaluation", evaluationRows],
  ["waits", whileEvaluatingRows],
  ["workers", workerRows],
  ["bytes", storedBytesRows],
  ["pages", pageRows],
];
