/**
 * What a window of runs looks like in numbers: per-run means, and the spread of the mean time of a step.
 * Every run in the window counts the same; a number nobody recorded is absent. Percentiles: R type 7.
 */
import { mean } from "../stats/mean.ts";
import { quantileOfSorted } from "../stats/quantile.ts";
import type { RetrievalSample, RunSample } from "./run-facts.ts";

export interface RunStatistics {
  readonly sampleCount: number;
  readonly stepCount: number;
  readonly errorRate: number;
  readonly avgTokens?: number;
  readonly latency?: LatencyBounds;
  /** Mean calls per run and tool. */
  readonly toolCallCounts: ReadonlyMap<string, number>;
  readonly components: ReadonlyMap<string, number>;
  readonly retrieval: ReadonlyMap<string, RetrievalStatistics>;
  /** Share of a tool's calls that repeat an earlier one. */
  readonly redundantShare: ReadonlyMap<string, number>;
  /** Kinds of errors and in how many runs of the window each occurred. */
  readonly errorPatterns: ReadonlyMap<string, number>;
  /** The extremes of the window: what stays within them has been seen before. */
  readonly seen: SeenRange;
}

export interface SeenRange {
  readonly tokensMax?: number;
  /** Largest share of failed steps in one run. */
  readonly errorShareMax: number;
  /** Fewest and most calls per run and tool; a run without the tool counts as 0. */
  readonly toolCalls: ReadonlyMap<string, { readonly min: number; readonly max: number }>;
  readonly componentsMax: ReadonlyMap<string, number>;
}

export interface LatencyBounds {
  readonly minMs: number;
  readonly p5Ms: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly avgMs: number;
}

export interface RetrievalStatistics {
  readonly callsPerRun: number;
  /** Absent when no call of the window listed results. */
  readonly meanResults?: number;
  readonly emptyShare?: number;
}

export function summariseRuns(samples: readonly RunSample[]): RunStatistics {
  const latency = latencyBounds(present(samples.map((sample) => sample.latencyMs)));
  const tokens = present(samples.map((sample) => sample.tokens));
  const steps = samples.reduce((sum, sample) => sum + sample.steps, 0);
  const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
  return {
    sampleCount: samples.length,
    stepCount: mean(samples.map((sample) => sample.steps)),
    errorRate: steps === 0 ? 0 : errors / steps,
    ...(tokens.length === 0 ? {} : { avgTokens: mean(tokens) }),
    ...(latency === undefined ? {} : { latency }),
    toolCallCounts: meanCounts(samples),
    components: meanComponents(samples),
    retrieval: retrievalStatistics(samples),
    redundantShare: redundantShares(samples),
    errorPatterns: countPatterns(samples),
    seen: seenRange(samples, tokens),
  };
}

/** Undefined without a single time. */
export function latencyBounds(values: readonly number[]): LatencyBounds | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  return {
    minMs: sorted[0]!,
    p5Ms: quantileOfSorted(sorted, 0.05),
    p50Ms: quantileOfSorted(sorted, 0.5),
    p95Ms: quantileOfSorted(sorted, 0.95),
    maxMs: sorted[sorted.length - 1]!,
    avgMs: mean(values),
  };
}

/** Kinds of errors that belong to a behaviour: those seen in at least half of its runs. */
export function usualErrors(statistics: RunStatistics): string[] {
  return [...statistics.errorPatterns]
    .filter(([, runs]) => 2 * runs >= statistics.sampleCount)
    .map(([pattern]) => pattern)
    .sort();
}

function present(values: readonly (number | undefined)[]): number[] {
  return values.filter((value) => value !== undefined);
}

function meanCounts(samples: readonly RunSample[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const sample of samples) {
    for (const [tool, calls] of sample.tools) totals.set(tool, (totals.get(tool) ?? 0) + calls);
  }
  return new Map([...totals].map(([tool, calls]) => [tool, calls / samples.length]));
}

function meanComponents(samples: readonly RunSample[]): Map<string, number> {
  const times = new Map<string, number[]>();
  for (const sample of samples) {
    for (const [component, ms] of sample.components) {
      const known = times.get(component);
      if (known === undefined) times.set(component, [ms]);
      else known.push(ms);
    }
  }
  return new Map([...times].map(([component, values]) => [component, mean(values)]));
}

function seenRange(samples: readonly RunSample[], tokens: readonly number[]): SeenRange {
  const toolCalls = new Map<string, { min: number; max: number }>();
  const componentsMax = new Map<string, number>();
  // One pass over what was called: asking every run about every tool is quadratic where each run has tools of its own.
  const runsWith = new Map<string, number>();
  let errorShareMax = 0;
  for (const { tools, steps, errors } of samples) {
    for (const [tool, calls] of tools) {
      const { min, max } = toolCalls.get(tool) ?? { min: calls, max: calls };
      toolCalls.set(tool, { min: Math.min(min, calls), max: Math.max(max, calls) });
      runsWith.set(tool, (runsWith.get(tool) ?? 0) + 1);
    }
    if (steps > 0) errorShareMax = Math.max(errorShareMax, errors / steps);
  }
  for (const [tool, runs] of runsWith) {
    if (runs < samples.length) toolCalls.set(tool, { min: 0, max: toolCalls.get(tool)!.max });
  }
  for (const sample of samples) {
    for (const [component, ms] of sample.components) {
      componentsMax.set(component, Math.max(ms, componentsMax.get(component) ?? 0));
    }
  }
  return {
    ...(tokens.length === 0 ? {} : { tokensMax: tokens.reduce((most, one) => Math.max(most, one)) }),
    errorShareMax,
    toolCalls,
    componentsMax,
  };
}

function retrievalStatistics(samples: readonly RunSample[]): Map<string, RetrievalStatistics> {
  const totals = new Map<string, RetrievalSample>();
  for (const sample of samples) {
    for (const [tool, one] of sample.retrieval) {
      const known = totals.get(tool) ?? { calls: 0, seen: 0, empty: 0, counted: 0 };
      const results = one.results === undefined ? known.results : (known.results ?? 0) + one.results;
      totals.set(tool, {
        calls: known.calls + one.calls,
        seen: known.seen + one.seen,
        empty: known.empty + one.empty,
        counted: known.counted + one.counted,
        ...(results === undefined ? {} : { results }),
      });
    }
  }
  return new Map([...totals].map(([tool, total]) => [tool, retrievalRates(total, samples.length)]));
}

export function retrievalRates(total: RetrievalSample, runs: number): RetrievalStatistics {
  return {
    callsPerRun: total.calls / runs,
    ...(total.results === undefined || total.counted === 0 ? {} : { meanResults: total.results / total.counted }),
    ...(total.seen === 0 ? {} : { emptyShare: total.empty / total.seen }),
  };
}

function redundantShares(samples: readonly RunSample[]): Map<string, number> {
  const redundant = new Map<string, number>();
  const calls = new Map<string, number>();
  for (const sample of samples) {
    for (const [tool, count] of sample.tools) calls.set(tool, (calls.get(tool) ?? 0) + count);
    for (const [tool, count] of sample.redundant) redundant.set(tool, (redundant.get(tool) ?? 0) + count);
  }
  return new Map([...redundant].map(([tool, count]) => [tool, count / (calls.get(tool) ?? count)]));
}

function countPatterns(samples: readonly RunSample[]): Map<string, number> {
  const runs = new Map<string, number>();
  for (const sample of samples)
    for (const pattern of sample.errorPatterns) runs.set(pattern, (runs.get(pattern) ?? 0) + 1);
  return runs;
}
