/**
 * Drift over a series of recordings (releases, days, trials): what each point looks like, what changed from one to the
 * next, and whether anything moved beyond chance (series/test-series.ts). What it all means is judged once, in
 * judge-trend.ts: lead, exit code and labels follow from there.
 */

import type { ReportHeader } from "../report/report.ts";
import { mean } from "../stats/mean.ts";
import type { Seed } from "../stats/random.ts";
import type { Trace } from "../trace/trace.ts";
import { collapsedForm } from "./families.ts";
import { agentFamilies } from "./fingerprint-report.ts";
import { judgeTrend, type TrendJudgement } from "./judge-trend.ts";
import type { RunFacts } from "./run-facts.ts";
import {
  type NumberAnswer,
  type ResponseAnswer,
  type SeriesRelabellings,
  type ToolAnswer,
  testSeries,
} from "./series/test-series.ts";
import { newTools } from "./signals/new-side-effects.ts";
import { responseVector } from "./statistical/response-vector.ts";

export interface TrendInput {
  readonly name: string;
  readonly runs: readonly RunFacts[];
  /** Of each run, twelve numbers per response; gathered while the traces are read. */
  readonly responses: readonly (readonly (readonly number[])[])[];
  /** What each run was asked to do, where that is known: runs are then compared within their scenario. */
  readonly scenarios?: readonly (string | undefined)[];
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
  readonly test: NumberAnswer;
}

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
  /** Whether there are more new paths than the agent's own variety explains. */
  readonly paths: NumberAnswer;
  /** Whether the share of runs that use a tool moved. */
  readonly tools: ToolAnswer;
  /** First against last point, over all responses at once (Hotelling's T²). */
  readonly responses: ResponseAnswer;
  readonly changes: readonly TrendChange[];
  readonly relabellings: SeriesRelabellings;
  readonly judgement: TrendJudgement;
}

export interface TrendOptions {
  /** Of the random relabellings. */
  readonly seed?: Seed;
}

export function responseVectors(trace: Trace): number[][] {
  return trace.turns.map((turn) => responseVector(turn));
}

export function buildTrend(inputs: readonly TrendInput[], { seed = 42 }: TrendOptions = {}): Trend {
  const points = inputs.map(({ runs, responses, scenarios }) =>
    runs.map((run, index) => ({
      path: pathOf(run),
      tools: new Set(run.sample.tools.keys()),
      numbers: measuredNumbers(run),
      responses: responses[index] ?? [],
      ...(scenarios?.[index] === undefined ? {} : { scenario: scenarios[index] }),
    })),
  );
  const answers = testSeries(points, { numbers: trendMeasures.map(({ name }) => name), seed });
  const facts = {
    points: trendPoints(inputs),
    measures: trendMeasures.map((measure) => trendMeasure(measure, inputs, answers.numbers[measure.name]!)),
    paths: answers.paths,
    tools: answers.tools,
    responses: answers.responses,
    changes: inputs.slice(1).map((input, index) => changeBetween(inputs[index]!, input)),
    relabellings: answers.relabellings,
  };
  return { ...facts, judgement: judgeTrend(facts, points) };
}

function pathOf(run: RunFacts): string {
  return collapsedForm(run.segments).join("|");
}

function trendPoints(inputs: readonly TrendInput[]): TrendPoint[] {
  const seen = new Set<string>();
  return inputs.map((input, index) => {
    const paths = input.runs.map(pathOf);
    const known = paths.filter((path) => seen.has(path)).length;
    for (const path of paths) seen.add(path);
    const agents = agentFamilies(input.runs);
    return {
      name: input.name,
      runs: input.runs.length,
      intents: agents.reduce((sum, agent) => sum + agent.intents, 0),
      families: agents.reduce((sum, agent) => sum + agent.families.length, 0),
      models: distinct(input.runs.flatMap((run) => run.models)),
      tools: toolsOf(input),
      knownPaths: index === 0 || paths.length === 0 ? null : known / paths.length,
    };
  });
}

function trendMeasure(
  measure: (typeof trendMeasures)[number],
  inputs: readonly TrendInput[],
  test: NumberAnswer,
): TrendMeasure {
  const values = inputs.map((input) => {
    const present = input.runs.map((run) => measuredNumbers(run)[measure.name]).filter((value) => value !== undefined);
    return present.length === 0 ? null : mean(present);
  });
  const [first, last] = [values[0], values.at(-1)];
  const comparable = typeof first === "number" && typeof last === "number" && first !== 0;
  return { ...measure, values, changePercent: comparable ? ((last - first) / first) * 100 : null, test };
}

function measuredNumbers({ sample }: RunFacts): Record<TrendMeasureName, number | undefined> {
  return {
    steps: sample.steps,
    tool_calls: [...sample.tools.values()].reduce((sum, calls) => sum + calls, 0),
    errors: sample.steps === 0 ? undefined : sample.errors / sample.steps,
    tokens: sample.tokens,
    latency: sample.latencyMs,
  };
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

function toolsOf(input: TrendInput): string[] {
  return distinct(input.runs.flatMap((run) => [...run.sample.tools.keys()]));
}

function distinct(items: readonly string[]): string[] {
  return [...new Set(items)].filter(Boolean).sort();
}
