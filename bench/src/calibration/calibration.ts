/** `npm run bench -- calibration`: the published figures of the cohort lens, reproduced on the shared corpora. */
import type { Benchmark, BenchmarkRow } from "../benchmark.ts";
import { corporaExist, loadCorpora } from "./corpora.ts";
import { fullEffort } from "./effort.ts";
import { batchRows, splitRows } from "./false-alarms.ts";
import { plantedRows, powerRows } from "./power.ts";
import { aucRows, ratioRows } from "./ratios.ts";
import { sequentialRows } from "./sequential.ts";
import { unchangedRows } from "./unchanged.ts";

export const calibrationBenchmark: Benchmark = {
  name: "calibration",
  promise: "false alarms, power, planted changes, AUC and the sequential test as published; takes some minutes",
  async run(): Promise<BenchmarkRow[]> {
    if (!corporaExist)
      return [{ what: "not run", measured: "no corpora", against: "../shared/corpora beside the repository" }];
    const corpora = await loadCorpora();
    return [
      ...ratioRows(corpora),
      ...batchRows(corpora),
      ...splitRows(corpora, fullEffort),
      ...powerRows(corpora, fullEffort),
      ...plantedRows(corpora, fullEffort),
      ...unchangedRows(corpora, fullEffort),
      ...aucRows(corpora),
      ...sequentialRows(corpora, fullEffort),
    ];
  },
};
