/**
 * Drift over a series of recordings (releases, days, trials): what each point looks like, what changed from one to the
 * next, and whether the numbers moved more than their own noise.
 *
 * Numbers are watched run by run with a mixture detector that may stop at any time (statistical/sequential.ts); its normal
 * level is learned from the first point. The first and the last point are compared as clouds of response vectors with
 * Hotelling's T² (statistical/hotelling.ts).
 */

import type { ReportHeader } from "../report/report.ts";
import { mean } from "../stats/mean.ts";
import type { Trace } from "../trace/trace.ts";
import { collapsedForm } from "./families.ts";
import { agentFamilies } from "./fingerprint-report.ts";
import type { RunFacts } from "./run-facts.ts";
import { newTools } from "./signals/new-side-effects.ts";
import { type HotellingResult, hotelling } from "./statistical/hotelling.ts";
import { responseVector } from "./statistical/response-vector.ts";
import { createMixture } from "./statistical/sequential.ts";

export interface TrendInput {
  readonly name: string;
  readonly runs: readonly RunFacts[];
  /** Twelve numbers per response; gathered while the traces are read. */
  readonly vectors: readonly (readonly number[])[];
}

export interface TrendPoint {
  readonly name: string;
  readonly runs: number;
  readonly intents: number;
  readonly families: number;
  readonly models: readonly string[];
  readonly tools: readonly string[];
  /** Share of runs whose path, loops collapsed, occurred at an earlier point; null for the first. */
  readonly knownPaths: number | null;
}

const trendMeasures = [
  { name: "steps", label: "steps per run", unit: "steps" },
  { name: "tool_calls", label: "tool calls per run", unit: "calls" },
  { name: "errors", label: "failed steps", unit: "share" },
  { name: "tokens", label: "tokens per run", unit: "tokens" },
  { name: "latency", label: "time per step", unit: "ms" },
] as const;
export type TrendMeasureName = (typeof trendMeasures)[number]["name"];

export interface TrendMeasure {
  readonly name: TrendMeasureName;
  readonly label: string;
  readonly unit: string;
  /** Mean per point; null where nobody recorded it. */
  readonly values: readonly (number | null)[];
  readonly changePercent: number | null;
  readonly detector: TrendDetector;
}

/** `drift`: beyond what the first point's own noise explains; `at` is where it was first certain. */
export type TrendDetector =
  | { readonly state: "drift"; readonly at: string; readonly runs: number }
  | { readonly state: "steady"; readonly runs: number }
  | { readonly state: "not_evaluated"; readonly why: string };

export interface TrendChange {
  readonly from: string;
  readonly to: string;
  readonly newTools: readonly string[];
  readonly lostTools: readonly string[];
  readonly modelsBefore: readonly string[];
  readonly modelsNow: readonly string[];
}

export interface TrendReport extends ReportHeader<"spoor.trend/1"> {
  readonly trend: Trend;
}

export interface Trend {
  readonly points: readonly TrendPoint[];
  readonly measures: readonly TrendMeasure[];
  readonly changes: readonly TrendChange[];
  /** First against last point, over all response vectors at once; null with a reason when it cannot be computed. */
  readonly responses: { readonly result: HotellingResult } | { readonly why: string };
  /** What the two tests take for granted, in words. */
  readonly assumptions: { readonly measures: string; readonly responses: string };
}

const ASSUMPTIONS: Trend["assumptions"] = {
  measures:
    "runs are independent and roughly normal, and the first point shows no drift; 5 % false alarms over the series",
  responses: "responses are independent; turns of one conversation are not quite, so read the p-value as a hint",
};

/** The mixture detector's false-alarm rate, over the whole series. */
const ALPHA = 0.05;
const SMALLEST_WARMUP = 5;

export function responseVectors(trace: Trace): number[][] {
  return trace.turns.map((turn) => responseVector(turn));
}

export function buildTrend(inputs: readonly TrendInput[]): Trend {
  return {
    points: trendPoints(inputs),
    measures: trendMeasures.map((measure) => trendMeasure(measure, inputs)),
    changes: inputs.slice(1).map((input, index) => changeBetween(inputs[index]!, input)),
    responses: compareResponses(inputs),
    assumptions: ASSUMPTIONS,
  };
}

function trendPoints(inputs: readonly TrendInput[]): TrendPoint[] {
  const seen = new Set<string>();
  return inputs.map((input, index) => {
    const forms = input.runs.map((run) => collapsedForm(run.segments).join("|"));
    const known = forms.filter((form) => seen.has(form)).length;
    for (const form of forms) seen.add(form);
    const agents = agentFamilies(input.runs);
    return {
      name: input.name,
      runs: input.runs.length,
      intents: agents.reduce((sum, agent) => sum + agent.intents, 0),
      families: agents.reduce((sum, agent) => sum + agent.families.length, 0),
      models: distinct(input.runs.flatMap((run) => run.models)),
      tools: toolsOf(input),
      knownPaths: index === 0 || forms.length === 0 ? null : known / forms.length,
    };
  });
}

function trendMeasure(measure: (typeof trendMeasures)[number], inputs: readonly TrendInput[]): TrendMeasure {
  const values = inputs.map((input) => {
    const present = input.runs.flatMap((run) => measured(run, measure.name));
    return present.length === 0 ? null : mean(present);
  });
  const [first, last] = [values[0], values.at(-1)];
  const comparable = typeof first === "number" && typeof last === "number" && first !== 0;
  return {
    ...measure,
    values,
    changePercent: comparable ? ((last - first) / first) * 100 : null,
    detector: detect(measure.name, inputs),
  };
}

function measured(run: RunFacts, name: TrendMeasureName): number[] {
  const { sample } = run;
  const value = {
    steps: sample.steps,
    tool_calls: [...sample.tools.values()].reduce((sum, calls) => sum + calls, 0),
    errors: sample.steps === 0 ? undefined : sample.errors / sample.steps,
    tokens: sample.tokens,
    latency: sample.latencyMs,
  }[name];
  return value === undefined ? [] : [value];
}

function detect(name: TrendMeasureName, inputs: readonly TrendInput[]): TrendDetector {
  const first = inputs[0]?.runs.flatMap((run) => measured(run, name)) ?? [];
  if (first.length < SMALLEST_WARMUP) {
    return { state: "not_evaluated", why: `the first point has ${first.length} of at least ${SMALLEST_WARMUP} values` };
  }
  if (inputs.length < 2) return { state: "not_evaluated", why: "there is only one point" };
  const detector = createMixture({ alpha: ALPHA, warmup: first.length });
  let runs = 0;
  for (const input of inputs) {
    for (const value of input.runs.flatMap((run) => measured(run, name))) {
      runs++;
      if (detector.update(value).decision === "h1") return { state: "drift", at: input.name, runs };
    }
  }
  return runs > first.length
    ? { state: "steady", runs }
    : { state: "not_evaluated", why: "no later point recorded it" };
}

function changeBetween(before: TrendInput, now: TrendInput): TrendChange {
  const [toolsBefore, toolsNow] = [new Set(toolsOf(before)), new Set(toolsOf(now))];
  return {
    from: before.name,
    to: now.name,
    newTools: newTools(toolsBefore, toolsNow),
    lostTools: newTools(toolsNow, toolsBefore),
    modelsBefore: distinct(before.runs.flatMap((run) => run.models)),
    modelsNow: distinct(now.runs.flatMap((run) => run.models)),
  };
}

function compareResponses(inputs: readonly TrendInput[]): Trend["responses"] {
  const [first, last] = [inputs[0], inputs.at(-1)];
  if (first === undefined || last === undefined || first === last) return { why: "there is only one point" };
  const short = [first, last].find((input) => input.vectors.length < 2);
  if (short !== undefined) return { why: `${short.name} has fewer than 2 responses` };
  return { result: hotelling(first.vectors, last.vectors) };
}

function toolsOf(input: TrendInput): string[] {
  return distinct(input.runs.flatMap((run) => [...run.sample.tools.keys()]));
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].filter(Boolean).sort();
}
