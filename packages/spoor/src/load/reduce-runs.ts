/** What the lenses over runs (fingerprint, baseline) keep of a trace. */
import type { Trace } from "@spoor/core";
import { type TraceFingerprint, traceFingerprint } from "@spoor/core/internal/fingerprint/fingerprint-report";
import type { FingerprintOptions } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import { type RunFacts, runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { Coverage } from "@spoor/core/internal/report/report";
import { defineReduction } from "./threads/reduction.ts";

export interface RunSettings extends FingerprintOptions {
  /** Only runs of this agent; runs that name none count as its own. */
  readonly agent?: string | undefined;
}

export interface KeptRun {
  readonly facts: RunFacts;
  readonly path: string;
  readonly format: string;
  readonly coverage: Coverage;
}

/** A run of an agent that was not asked for. */
export interface SkippedRun {
  readonly otherAgent: string;
}

export function reduceRun(trace: Trace, settings: RunSettings): KeptRun | SkippedRun {
  const { agent } = settings;
  if (agent !== undefined && trace.agent !== undefined && trace.agent !== agent) return { otherAgent: trace.agent };
  const facts = runFacts(trace, settings);
  const { format, path = "-" } = trace.source;
  return { facts: agent === undefined ? facts : { ...facts, agent }, path, format, coverage: coverageOf([trace]) };
}

export const runReduction = defineReduction<RunSettings, KeptRun | SkippedRun>({
  name: "run",
  onlySteps: true,
  start: (settings) => (trace) => reduceRun(trace, settings),
});

interface FingerprintedRun extends KeptRun {
  readonly fingerprint: TraceFingerprint;
}

/** The same with what a report of fingerprints says about each. */
export const fingerprintReduction = defineReduction<RunSettings, FingerprintedRun | SkippedRun>({
  name: "fingerprint",
  onlySteps: true,
  start: (settings) => (trace) => {
    const run = reduceRun(trace, settings);
    return "otherAgent" in run ? run : { ...run, fingerprint: traceFingerprint(trace, run.facts) };
  },
});
