/**
 * Two runs of an agent, or two sets of runs: what changed, how much, how sure, and where it began.
 *
 * Turns are paired inside each pair of traces (never across), the axes and the structure are measured over all turn pairs
 * together, and every pair of traces keeps its own alignment and divergences. Cost: close to linear for similar runs.
 */

import type { PriceList } from "../pricing/price.ts";
import { listPrices } from "../pricing/prices.ts";
import { powerOf } from "../stats/power.ts";
import { DEFAULT_SEED, type Seed } from "../stats/random.ts";
import { knownWord } from "../text/known-word.ts";
import { comparableContent } from "../trace/comparable-content.ts";
import type { Json } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import { lastUserText } from "../trace/user-text.ts";
import { buildArgumentValues } from "./argument-values.ts";
import type { AxisName } from "./axes.ts";
import type { AxisContext, ResponsePair } from "./axis.ts";
import { buildRows } from "./build-rows.ts";
import { buildVerdict } from "./build-verdict.ts";
import type { DiffResult, TracePairResult, TraceSide } from "./diff-report.ts";
import {
  countKinds,
  type Divergence,
  findDivergences,
  isAction,
  rankDivergences,
  type TracedDivergence,
  whereItBegins,
} from "./divergence.ts";
import { drillDown } from "./drill-down.ts";
import { createFirstInput } from "./first-input.ts";
import { compareGoingIn } from "./going-in.ts";
import type { JudgedTurns } from "./judge-opinion.ts";
import { summariseJudge } from "./judge-summary.ts";
import { buildLayers } from "./layers/build-layers.ts";
import { type Level, levels } from "./layers/layers.ts";
import { findNewTools } from "./new-tools.ts";
import { type PairedTraces, pairTraces, type TracePair } from "./pair-traces.ts";
import { type Pairing, pairings, pairTurns, type TurnPairing } from "./pair-turns.ts";
import type { PolicyHook } from "./policy-hook.ts";
import { mergeSeen, sawTooLittle } from "./policy-seen.ts";
import type { PolicyDiff } from "./policy-slot.ts";
import { recommend } from "./recommendations.ts";
import { refusalPhrases } from "./refusal.ts";
import { findReordering, type Reordering } from "./reordering.ts";
import { findRunChange } from "./run-change.ts";
import { sessionDistance } from "./session-distance.ts";
import { rateStructure } from "./structure.ts";
import { buildTimeline } from "./timeline.ts";
import { type ResultBounds, withResults } from "./timeline-results.ts";
import { buildToolFlow } from "./tool-flow.ts";
import { FactsTable } from "./turn-facts.ts";

export interface DiffOptions {
  /** `aligned` (default) follows the alignment; `index` pairs first with first. */
  readonly pairing?: Pairing;
  readonly seed?: Seed;
  readonly prices?: PriceList;
  readonly refusals?: readonly string[];
  /** Absolute steps that the gate grades with when a baseline median is 0. */
  readonly floors?: Readonly<Partial<Record<AxisName, number>>>;
  /** Axes that are told and never judged. */
  readonly toldOnly?: readonly AxisName[];
  readonly embed?: AxisContext["embed"];
  readonly judge?: AxisContext["judge"];
  /** What a judge said of each pair of turns, asked beforehand (`pairsToJudge`). */
  readonly judged?: JudgedTurns;
  /** What one trace is called in sentences. */
  readonly noun?: string;
  readonly level?: Level;
  /** What a policy says about a pair of traces; the policy lens supplies it. */
  readonly policy?: PolicyHook;
  /** How many divergences of each pair of traces are listed, the worst first. */
  readonly topDivergences?: number;
  /** Rows of a side-by-side listing, and how many pairs of traces get one. */
  readonly timelineRows?: number;
  readonly timelines?: number;
  /** Give unchanged pairs of traces a listing too; off by default. */
  readonly unchangedTimelines?: boolean;
  /** What calls returned, in those listings; `budget` characters of all of them together. */
  readonly results?: { readonly budget: number; readonly clean: ResultBounds["clean"] };
  /** Adds what all runs do together; `clean` takes secrets out of arguments. */
  readonly overview?: { readonly clean: (input: Json) => Json };
}

function hasReplayedModel({ recording }: Trace): boolean {
  return recording?.replayed?.model === true;
}

const TOP_DIVERGENCES = 5;
const TIMELINES = 10;
const TIMELINE_ROWS = 200;
const TIMELINE_CONTEXT = 2;
const MAX_ASK = 500;

/** Compares one trace with another. */
export function diffTraces(baseline: Trace, candidate: Trace, options: DiffOptions = {}): DiffResult {
  const [before, after] = comparableContent([baseline, candidate]);
  return diffTraceSets(pairTraces([before!], [after!]), options);
}

/** Compares pairs of traces as one question: pooled rows, one structure, each pair with its own divergences. */
export function diffTraceSets({ pairs, matching, alone }: PairedTraces, options: DiffOptions = {}): DiffResult {
  const table = new FactsTable();
  const pairing = knownWord(options.pairing ?? "aligned", pairings, "pairing");
  const level = knownWord(options.level ?? "trace", levels, "level");
  const seed = options.seed ?? DEFAULT_SEED;
  const blind = pairs.some(({ candidate }) => candidate.recording?.blind !== undefined);
  const replayed = pairs.some((pair) => [pair.baseline, pair.candidate].some(hasReplayedModel));
  const context = { ...axisContext(table, options), blind, replayed };
  const work = pairs.map((pair) => pairTurns(table, pair.baseline, pair.candidate, pairing));
  const style = pairing === "aligned";
  const divergences = work.map((one) =>
    findDivergences(table, one.baseline, one.candidate, one.alignment.steps, { style }),
  );
  const reorderings = work.map((one) => findReordering(table, one.baseline, one.candidate));
  const all = {
    baseline: [...new Set(pairs.map((pair) => pair.baseline)), ...alone.baseline],
    candidate: [...pairs.map((pair) => pair.candidate), ...alone.candidate],
  };
  const newTools = findNewTools(all.baseline, all.candidate);

  const turnPairs = work.flatMap((one) => one.pairs);
  const traceOf = work.flatMap((one, index) => one.pairs.map(() => index));
  const clustered = pairs.length > 1 && new Set(traceOf).size > 1;
  const { rows, values } = buildRows(turnPairs, context, {
    seed,
    ...(options.floors === undefined ? {} : { floors: options.floors }),
    ...(options.toldOnly === undefined ? {} : { toldOnly: options.toldOnly }),
    ...(clustered ? { traceOf } : {}),
    ...(pairing === "index" ? {} : { alone: work.flatMap((one, trace) => one.alone.map((turn) => ({ turn, trace }))) }),
  });
  const changed = work.reduce((sum, one) => sum + one.changes.length, 0);
  const structure = rateStructure(
    changed,
    work.reduce((sum, one) => sum + one.steps.length, 0),
  );
  const policy =
    options.policy === undefined
      ? undefined
      : mergePolicy([
          ...pairs.map((pair, index) => options.policy!(pair, matchedTurns(work[index]!), all)),
          ...alone.candidate.map((candidate) => options.policy!({ candidate }, [], all)),
        ]);
  const traced = work.map(traceDivergences);
  const firstDivergence = findFirst(divergences, traced);
  const listed = listedTimelines(work, options.timelines ?? TIMELINES, options.unchangedTimelines ?? false);
  if (firstDivergence !== null) listed.add(firstDivergence.traceIndex);
  const facts = {
    pairs,
    pairCount: turnPairs.length,
    rows,
    structure,
    divergences,
    reorderings,
    newTools,
    unmatched: alone.candidate.length,
    missing: alone.baseline.length,
    ...(policy === undefined ? {} : { policy }),
  };
  const layers = buildLayers(pairs, work, context, { level, pairing, seed });

  const traces = pairs.map((pair, index) =>
    tracePairResult(table, pair, work[index]!, divergences[index]!, {
      reordered: reorderings[index],
      traced: traced[index]!,
      top: options.topDivergences ?? TOP_DIVERGENCES,
      timelineRows: listed.has(index) ? (options.timelineRows ?? TIMELINE_ROWS) : 0,
    }),
  );

  return {
    verdict: buildVerdict(facts),
    noun: options.noun ?? "trace",
    pairing,
    seed: typeof seed === "bigint" ? String(seed) : seed,
    matching,
    pairCount: turnPairs.length,
    leftOver: countLeftOver(work),
    power: powerOf(turnPairs.length),
    rows,
    structure,
    newTools,
    divergenceKinds: countKinds(divergences.flat()),
    traces: options.results === undefined ? traces : listResults(traces, pairs, options.results),
    firstDivergence,
    recommendations: placeRecommendations(rows, divergences),
    drillDown: drillDown(values, turnPairs.length).map((score) => ({
      ...score,
      traceIndex: traceOf[score.pairIndex]!,
      baselineTurn: turnPairs[score.pairIndex]!.baseline.turn.index,
      candidateTurn: turnPairs[score.pairIndex]!.candidate.turn.index,
    })),
    goingIn: compareGoingIn(turnsOf(turnPairs)),
    ...(options.overview === undefined
      ? {}
      : { flow: buildToolFlow(pairs), argumentValues: buildArgumentValues(pairs, options.overview.clean) }),
    ...(policy === undefined ? {} : { policy }),
    ...(layers === undefined ? {} : { layers }),
    ...(options.judged === undefined ? {} : { judge: summariseJudge(options.judged, turnPairs, traceOf) }),
  };
}

const MOST_OF_A_RESULT = 4_000;
const LEAST_OF_A_RESULT = 80;

/** Few results are listed whole, of many as much of each as there is room for. */
function listResults(
  traces: readonly TracePairResult[],
  pairs: readonly TracePair[],
  { budget, clean }: NonNullable<DiffOptions["results"]>,
): TracePairResult[] {
  let calls = 0;
  for (const { timeline } of traces)
    for (const { baseline, candidate } of timeline?.rows ?? [])
      calls += (baseline?.calls.length ?? 0) + (candidate?.calls.length ?? 0);
  const most = Math.max(LEAST_OF_A_RESULT, Math.min(MOST_OF_A_RESULT, Math.floor(budget / Math.max(1, calls))));
  return traces.map((trace, index) => {
    const { baseline, candidate } = pairs[index]!;
    return trace.timeline === undefined
      ? trace
      : { ...trace, timeline: withResults(trace.timeline, baseline, candidate, { most, clean }) };
  });
}

function axisContext(table: FactsTable, options: DiffOptions): AxisContext {
  return {
    table,
    prices: options.prices ?? listPrices,
    refusals: options.refusals ?? refusalPhrases,
    ...(options.embed === undefined ? {} : { embed: options.embed }),
    ...(options.judge === undefined ? {} : { judge: options.judge }),
    ...(options.judged === undefined ? {} : { judged: options.judged }),
  };
}

function countLeftOver(work: readonly TurnPairing[]): { baseline: number; candidate: number } {
  let baseline = 0;
  let candidate = 0;
  for (const one of work) {
    baseline += one.baseline.length - one.pairs.length;
    candidate += one.candidate.length - one.pairs.length;
  }
  return { baseline, candidate };
}

/** Side-by-side listings for the pairs of traces that changed most, in their own order. */
function listedTimelines(work: readonly TurnPairing[], limit: number, unchanged: boolean): Set<number> {
  const all = work.map((one, index) => ({ index, changes: one.changes.length }));
  const changed = unchanged ? all : all.filter((one) => one.changes > 0);
  if (changed.length === 0 && work.length === 1) return new Set([0]);
  return new Set(
    changed
      .sort((one, other) => other.changes - one.changes || one.index - other.index)
      .slice(0, limit)
      .map((one) => one.index),
  );
}

/** What the user asked for first, cut to a readable length. */
function firstAsk(trace: Trace): string {
  for (const turn of trace.turns) {
    const text = lastUserText(turn).trim();
    if (text !== "") return text.slice(0, MAX_ASK);
  }
  return "";
}

interface TracePairOptions {
  readonly top: number;
  readonly timelineRows: number;
  readonly reordered: Reordering | undefined;
  readonly traced: TraceDivergence;
}

type TraceDivergence = <D extends Divergence>(divergence: D) => D & TracedDivergence;

/** Adds what first differed going in; asked only for divergences that the report lists. */
function traceDivergences({ baseline, candidate, alignment }: TurnPairing): TraceDivergence {
  const turns = (facts: TurnPairing["baseline"]) => facts.map(({ turn }) => turn);
  let firstInput: ReturnType<typeof createFirstInput> | undefined;
  return (divergence) => {
    firstInput ??= createFirstInput({
      baseline: turns(baseline),
      candidate: turns(candidate),
      steps: alignment.steps,
    });
    return { ...divergence, goingIn: firstInput(divergence) };
  };
}

function tracePairResult(
  table: FactsTable,
  pair: TracePair,
  work: TurnPairing,
  divergences: readonly Divergence[],
  { top, timelineRows, reordered, traced }: TracePairOptions,
): TracePairResult {
  const change = findRunChange(table, work, reordered);
  const ask = firstAsk(pair.candidate) || firstAsk(pair.baseline);
  const first = whereItBegins(divergences);
  const rewordedBefore = divergences.slice(0, Math.max(0, divergences.indexOf(first!))).find(isOtherAnswer);
  return {
    name: pair.name,
    ...(pair.task === undefined ? {} : { task: pair.task }),
    ...(ask === "" ? {} : { ask }),
    baseline: traceSide(pair.baseline),
    candidate: traceSide(pair.candidate),
    pairCount: work.pairs.length,
    alignment: work.alignment.method,
    changes: work.changes,
    ...(change === undefined ? {} : { change }),
    firstDivergence: first === null ? null : traced(first),
    ...(rewordedBefore === undefined ? {} : { rewordedBefore: traced(rewordedBefore) }),
    ...(reordered === undefined ? {} : { reordered }),
    divergences: rankDivergences(divergences).slice(0, top).map(traced),
    divergenceCount: divergences.length,
    divergenceKinds: countKinds(divergences),
    sessionDistance: sessionDistance(table, work.baseline, work.candidate),
    ...(timelineRows === 0
      ? {}
      : {
          timeline: buildTimeline(table, work.baseline, work.candidate, work.alignment.steps, {
            context: TIMELINE_CONTEXT,
            maxRows: timelineRows,
          }),
        }),
  };
}

function traceSide({ id, key, name, source, turns, recording }: Trace): TraceSide {
  return {
    id,
    key,
    name,
    ...(source.path === undefined ? {} : { path: source.path }),
    ...(source.entry === undefined ? {} : { entry: source.entry }),
    turns: turns.length,
    ...(recording?.offPathFrom === undefined ? {} : { offPathFrom: recording.offPathFrom }),
  };
}

/** The gravest pair of traces first: one that acts otherwise, else one that answers otherwise, else one with other words. */
function findFirst(
  divergences: readonly (readonly Divergence[])[],
  traced: readonly TraceDivergence[],
): DiffResult["firstDivergence"] {
  const first = (matters: (one: Divergence) => boolean) => divergences.findIndex((ofTrace) => ofTrace.some(matters));
  const traceIndex = [first(isAction), first(isOtherAnswer), first(() => true)].find((index) => index >= 0);
  if (traceIndex === undefined) return null;
  return { ...traced[traceIndex]!(whereItBegins(divergences[traceIndex]!)!), traceIndex };
}

function isOtherAnswer({ kind }: Divergence): boolean {
  return kind !== "style";
}

function placeRecommendations(rows: Parameters<typeof recommend>[0], divergences: readonly (readonly Divergence[])[]) {
  const placed = divergences.flatMap((ofTrace, traceIndex) =>
    rankDivergences(ofTrace)
      .slice(0, TOP_DIVERGENCES)
      .map((divergence) => ({ ...divergence, traceIndex })),
  );
  return recommend(rows, rankDivergences(placed).slice(0, TOP_DIVERGENCES));
}

function matchedTurns({ alignment }: TurnPairing): [number, number][] {
  return alignment.steps.flatMap((step) =>
    step.kind === "match" ? [[step.baseline, step.candidate] as [number, number]] : [],
  );
}

function mergePolicy(diffs: readonly PolicyDiff[]): PolicyDiff {
  const seen = mergeSeen(diffs);
  return {
    regressions: diffs.flatMap((diff) => diff.regressions),
    fixes: diffs.flatMap((diff) => diff.fixes),
    notEvaluated: [...diffs.flatMap((diff) => diff.notEvaluated), ...sawTooLittle(seen)],
    seen,
  };
}

function* turnsOf(pairs: readonly ResponsePair[]) {
  for (const pair of pairs) yield { baseline: pair.baseline.turn, candidate: pair.candidate.turn };
}
