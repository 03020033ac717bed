/** Every benchmark, in the order of the table. */
import type { Benchmark } from "./benchmark.ts";
import { readBenchmark } from "./read.ts";

export const benchmarks: readonly Benchmark[] = [readBenchmark];
