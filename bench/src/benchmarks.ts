/** Every benchmark, in the order of the table. */
import type { Benchmark } from "./benchmark.ts";

export const benchmarks: readonly Benchmark[] = [];
