/** What the shared service costs. Each part is a file of `server/`. */
import type { Benchmark } from "./benchmark.ts";
import { evaluationRows } from "./server/evaluation.ts";
import { ingestRows } from "./server/ingest.ts";
import { pageRows } from "./server/newest-page.ts";
import { storedBytesRows } from "./server/stored-bytes.ts";

export const serverBenchmark: Benchmark = {
  name: "server",
  promise:
    "taking a recording costs at most 4 times unpacking, parsing and hashing it, evaluating it at most twice what the same lenses cost on files, a run takes at most 1.4 times the bytes of its own gzip, and the newest page costs the same whatever lies behind it",
  async run() {
    return [...(await ingestRows()), ...(await evaluationRows()), ...(await storedBytesRows()), ...(await pageRows())];
  },
};
