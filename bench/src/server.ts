/** What the shared service costs. Each part is a file of `server/`. */
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { type BenchEngine, withBenchEngines } from "./server/bench-engine.ts";
import { capacityTable } from "./server/capacity.ts";
import { evaluationRows } from "./server/evaluation.ts";
import { ingestRows } from "./server/ingest.ts";
import { pageRows } from "./server/newest-page.ts";
import { createServerFigures, type ServerFigures } from "./server/server-figures.ts";
import { storedBytesRows } from "./server/stored-bytes.ts";
import { whileEvaluatingRows } from "./server/while-evaluating.ts";
import { workerRows } from "./server/workers.ts";

export const serverBenchmark: Benchmark = {
  name: "server",
  promise:
    "taking a recording costs at most 4 times unpacking, parsing and hashing it, evaluating it at most twice what the same lenses cost on files, nobody waits more than 2.5 times as long while others are evaluated, two workers do 1.7 times the work of one, a run takes at most 1.4 times the bytes of its own gzip, and the newest page costs the same whatever lies behind it",
  run: ({ only, publish }) =>
    withBenchEngines(async (engines) => {
      const rows: BenchmarkRow[] = [];
      const figures = createServerFigures();
      for (const [name, measure] of PARTS) {
        if (only !== undefined && !only.includes(name)) continue;
        rows.push(...(await measure(engines, figures)));
        if (engines.length === 1)
          rows.push({
            what: `${name}, PostgreSQL`,
            measured: "not measured",
            against: "there is none on this machine",
          });
      }
      const capacity = capacityTable(figures);
      if (capacity !== undefined) publish?.({ page: "docs/operations.md", name: "capacity", text: capacity });
      return rows;
    }),
};

type Measure = (engines: readonly BenchEngine[], figures: ServerFigures) => Promise<BenchmarkRow[]>;

const PARTS: readonly (readonly [string, Measure])[] = [
  ["ingest", ingestRows],
  ["evaluation", evaluationRows],
  ["waits", whileEvaluatingRows],
  ["workers", workerRows],
  ["bytes", storedBytesRows],
  ["pages", pageRows],
];
