/** Every benchmark, in the order of the table. */
import type { Benchmark } from "./benchmark.ts";
import { calibrationBenchmark } from "./calibration/calibration.ts";
import { cliffsBenchmark } from "./cliffs.ts";
import { cohortBenchmark } from "./cohort.ts";
import { coresBenchmark } from "./cores.ts";
import { diffBenchmark } from "./diff.ts";
import { evalsBenchmark } from "./evals.ts";
import { fingerprintBenchmark } from "./fingerprint.ts";
import { floorBenchmark } from "./floor.ts";
import { formatsBenchmark } from "./formats.ts";
import { gateBenchmark } from "./gate.ts";
import { guardBenchmark } from "./guard.ts";
import { hookBenchmark } from "./hook.ts";
import { pagesBenchmark } from "./pages.ts";
import { peersBenchmark } from "./peers/peers.ts";
import { policyBenchmark } from "./policy.ts";
import { readBenchmark } from "./read.ts";
import { recordBenchmark } from "./record.ts";
import { redactionBenchmark } from "./redaction.ts";
import { replayBenchmark } from "./replay.ts";
import { serverBenchmark } from "./server.ts";
import { startBenchmark } from "./start.ts";
import { trajectoryBenchmark } from "./trajectory.ts";
import { whyBenchmark } from "./why.ts";

export const benchmarks: readonly Benchmark[] = [
  startBenchmark,
  coresBenchmark,
  peersBenchmark,
  readBenchmark,
  floorBenchmark,
  diffBenchmark,
  formatsBenchmark,
  redactionBenchmark,
  recordBenchmark,
  replayBenchmark,
  policyBenchmark,
  guardBenchmark,
  hookBenchmark,
  gateBenchmark,
  pagesBenchmark,
  cliffsBenchmark,
  trajectoryBenchmark,
  evalsBenchmark,
  fingerprintBenchmark,
  cohortBenchmark,
  calibrationBenchmark,
  whyBenchmark,
  serverBenchmark,
];
