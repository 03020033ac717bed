/** `npm run bench -- calibration`: the published figures of the cohort lens, reproduced on the shared corpora. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Benchmark, BenchmarkOptions, BenchmarkRow } from "../benchmark.ts";
import { type Corpora, corporaExist, loadCorpora } from "./corpora.ts";
import { fullEffort } from "./effort.ts";
import { batchRows, splitRows } from "./false-alarms.ts";
import { plantedRows, powerRows } from "./power.ts";
import { aucRows, ratioRows } from "./ratios.ts";
import { sequentialRows } from "./sequential.ts";
import { unchangedRows } from "./unchanged.ts";

const parts: Readonly<Record<string, (corpora: Corpora) => BenchmarkRow[]>> = {
  ratios: ratioRows,
  batches: batchRows,
  splits: (corpora) => splitRows(corpora, fullEffort),
  power: (corpora) => powerRows(corpora, fullEffort),
  planted: (corpora) => plantedRows(corpora, fullEffort),
  unchanged: (corpora) => unchangedRows(corpora, fullEffort),
  auc: aucRows,
  sequential: (corpora) => sequentialRows(corpora, fullEffort),
};

export const calibrationBenchmark: Benchmark = {
  name: "calibration",
  promise:
    "false alarms, power, planted changes, `unchanged`, AUC and the sequential test as published; takes some minutes",
  async run({ only = Object.keys(parts), resume }: BenchmarkOptions): Promise<BenchmarkRow[]> {
    if (!corporaExist)
      return [{ what: "not run", measured: "no corpora", against: "../shared/corpora beside the repository" }];
    const unknown = only.filter((name) => !Object.hasOwn(parts, name));
    if (unknown.length > 0)
      throw new Error(`Calibration has no part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(", ")}`);
    const corpora = await loadCorpora();
    const done: Record<string, BenchmarkRow[]> =
      resume !== undefined && existsSync(resume) ? JSON.parse(readFileSync(resume, "utf8")) : {};
    for (const name of only) {
      if (Object.hasOwn(done, name)) continue;
      done[name] = parts[name]!(corpora);
      if (resume !== undefined) writeFileSync(resume, JSON.stringify(done));
    }
    return only.flatMap((name) => done[name]!);
  },
};
