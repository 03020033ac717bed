/** Recording: what it costs an agent, what it weighs on disk, what is left when it is killed. */
import type { Benchmark } from "./benchmark.ts";
import { captureRows } from "./record/capture-cost.ts";
import { deltaRows } from "./record/delta-size.ts";
import { hostileRows } from "./record/hostile-text.ts";
import { killRows } from "./record/kill.ts";

export const recordBenchmark: Benchmark = {
  name: "record",
  promise:
    "a request costs no more than a few readings of its body, a long session is 60 times smaller, nothing acknowledged is lost",
  run: async () => [...(await captureRows()), ...(await hostileRows()), ...(await deltaRows()), ...(await killRows())],
};
