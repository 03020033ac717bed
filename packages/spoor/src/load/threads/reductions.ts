/** Reductions by name, for threads; each is loaded only when it is asked for. */
import type { Reduction } from "./reduction.ts";

const loaders: Readonly<Record<string, () => Promise<Reduction<never, unknown>>>> = {
  check: async () => (await import("../check-files.ts")).checkReduction,
  cohort: async () => (await import("../load-cohort.ts")).cohortReduction,
  fingerprint: async () => (await import("../reduce-runs.ts")).fingerprintReduction,
  run: async () => (await import("../reduce-runs.ts")).runReduction,
  trend: async () => (await import("../reduce-trend.ts")).trendReduction,
};

export async function loadReduction(name: string): Promise<Reduction<unknown, unknown>> {
  return (await loaders[name]!()) as Reduction<unknown, unknown>;
}
