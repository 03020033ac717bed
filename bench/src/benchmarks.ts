/** Every benchmark, in the order of the table. */
import type { Benchmark } from "./benchmark.ts";
import { guardBenchmark } from "./guard.ts";
import { readBenchmark } from "./read.ts";
import { trajectoryBenchmark } from "./trajectory.ts";

export const benchmarks: readonly Benchmark[] = [readBenchmark, guardBenchmark, trajectoryBenchmark];
