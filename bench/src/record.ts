/** Recording: what it costs an agent, what it weighs on disk, what is left when it is killed. */
import type { Benchmark } from "./benchmark.ts";
import { captureRows } from "./record/capture-cost.ts";
import { deltaRows } from "./record/delta-size.ts";
import { fetchRows } from "./record/fetch-cost.ts";
import { hostileRows } from "./record/hostile-text.ts";
import { killRows } from "./record/kill.ts";
import { proxyRows } from "./record/proxy.ts";
import { startRows } from "./record/start-cost.ts";

export const recordBenchmark: Benchmark = {
  name: "record",
  promise:
    "a recorded call takes at most 1.25 times a plain one, a long session is 60 times smaller, nothing acknowledged is lost",
  run: async () => [
    ...(await fetchRows()),
    ...startRows(),
    ...(await proxyRows()),
    ...(await captureRows()),
    ...(await hostileRows()),
    ...(await deltaRows()),
    ...(await killRows()),
  ],
};
