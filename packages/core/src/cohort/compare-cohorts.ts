/**
 * Did the agent change, or is it noise? Compares a set of baseline runs with a set of candidate runs over the same
 * scenarios and answers `changed`, `unchanged` or `not_enough_evidence`.
 *
 * If nothing changed, the labels inside a scenario are arbitrary; so every statistic is compared with its own values under
 * other labellings of the same runs. That is exact for every sample size and needs no model of the noise. It assumes that
 * runs are independent given their scenario: record both sides close in time, interleaved.
 *
 * Begin reading at `judgeCohort` and `testCohort` (the test), `runFeatures` (what is looked at) and `decideVerdict` (what is said).
 */
import { median } from "../stats/median.ts";
import { type Aspect, aspects as allAspects, aspectOfGroup } from "./aspects.ts";
import type { AspectResult, CohortFacts, CohortResult, ReportedRun, SignalResult } from "./cohort-report.ts";
import { buildDesign, type Design } from "./design.ts";
import type { Endings } from "./endings.ts";
import { groups } from "./features.ts";
import { firstSeenTools } from "./first-seen.ts";
import { illustrateWords } from "./illustrate-words.ts";
import { seedOfRuns } from "./input-seed.ts";
import { countCandidates, unseenItems } from "./intervals.ts";
import { type Item, listItems } from "./items.ts";
import { type Judgement, type JudgeOptions, judgeCohort, judgeDefaults, NO_ANSWER } from "./judge-cohort.ts";
import type { KeptRun } from "./kept-run.ts";
import { createObserver, type Observation, type Observer } from "./observe.ts";
import { runsNeeded } from "./planning.ts";
import { rankRuns } from "./ranking.ts";
import { countOnBothSides, formatsOf, latencyOf, recordedTimes } from "./recording.ts";
import type { CohortRun, Side } from "./run.ts";
import { tellTasksApart } from "./scenario-id.ts";
import { type Separated, separateFormats } from "./separate-formats.ts";
import type { CohortTest, Observed, TestedSignal } from "./test-cohort.ts";
import { scopeOf } from "./verdict.ts";

export interface CohortOptions extends JudgeOptions {
  /** Of the relabelling; by default made of the runs themselves. */
  readonly seed?: number;
}

export function compareCohorts(runs: Iterable<CohortRun>, options: CohortOptions = {}): CohortResult {
  const cohort = createCohort();
  for (const run of runs) cohort.add(run);
  return cohort.compare(options);
}

/** Takes in runs one at a time, keeping numbers only, so that traces need not be held in memory. */
export interface Cohort {
  readonly runs: readonly Observation[];
  add(run: CohortRun): void;
  /** What was kept of a run; `texts` lend the words that illustrate a change, nothing else. */
  addKept(run: KeptRun, side: Side, texts?: readonly string[]): void;
  compare(options?: CohortOptions): CohortResult;
}

export function createCohort(): Cohort {
  const observer = createObserver();
  const runs: Observation[] = [];
  return {
    runs,
    add: (run) => {
      runs.push(observer.observe(run));
    },
    addKept: (run, side, texts) => {
      runs.push(observer.observeKept(run, side, texts));
    },
    compare: (options = {}) => compareObserved(observer, runs, options),
  };
}

function compareObserved(observer: Observer, all: readonly Observation[], given: CohortOptions): CohortResult {
  const options = { ...judgeDefaults, ...given, seed: given.seed ?? seedOfRuns(all, observer) };
  const separated = separateFormats(tellTasksApart(all));
  const observed: Observed = { runs: separated.runs, columns: observer.columns, tools: observer.tools };
  const design = buildDesign(separated.runs);
  const judgement = judgeCohort(design, observed, options);
  const { test, endings, intervals, verdict, reasons, p, reachable } = judgement;
  const { strongest, together } = test.family;
  const facts = cohortFacts(design, separated, test);
  const ranking = test.pairs === undefined ? { scenarios: [], runs: [] } : rankRuns(design, test.pairs);
  const needed =
    verdict === "not_enough_evidence" && intervals !== undefined
      ? runsNeeded(intervals, facts.runsBaseline, facts.runsCandidate, options.alpha)
      : undefined;
  const aspects = (options.aspects ?? allAspects).map((aspect) =>
    describeAspect(aspect, judgement, options.alpha, design, observed, observer),
  );
  const moved = aspects.flatMap(({ items }) => items.filter(({ adjusted }) => adjusted <= options.alpha));
  return {
    verdict,
    scope: scopeOf(design),
    reasons,
    p,
    strongest,
    together,
    reachable,
    alpha: options.alpha,
    relabellings: { ...test.relabellings, seed: options.seed },
    cohort: facts,
    aspects,
    joint: jointSignal(judgement),
    intervals: intervals ?? null,
    unseen: unseenItems(intervals?.items ?? [], new Set(moved.map(({ item }) => item))),
    endings: endings ?? null,
    firstSeen: firstSeenTools(design, separated.runs, observer.tools, test.callers),
    scenarios: ranking.scenarios,
    runs: ranking.runs.map(
      ({ run, nearest, ...rest }): ReportedRun => ({
        ...rest,
        run: separated.runs[run]!.origin,
        nearest: separated.runs[nearest]!.origin,
      }),
    ),
    latency: latencyOf(separated.runs) ?? null,
    needed: needed ?? null,
  };
}

function describeAspect(
  aspect: Aspect,
  { test, endings, looks, verdict }: Judgement,
  alpha: number,
  design: Design,
  observed: Observed,
  observer: Observer,
): AspectResult {
  const tested = test.signals.filter((signal) => signal.aspect === aspect);
  const ended = aspect === "outcome" && endings !== undefined ? endings : undefined;
  const signals = [
    ...tested.map((signal) => signalResult(signal, looks)),
    ...(ended === undefined ? [] : [endedSignal(ended, looks)]),
  ];
  const changed = verdict === "changed" && signals.some(({ adjusted }) => adjusted !== null && adjusted <= alpha);
  const result = { aspect, changed, signals };
  if (!changed) return { ...result, items: [] };
  // Single buckets of words mean nothing to a reader; style items and words stand for them.
  const wanted = groups.filter((group) => aspectOfGroup(group) === aspect && group !== "text");
  const items = [
    ...(ended === undefined ? [] : [endedItem(ended, looks)]),
    ...listItems(design, observed, test, wanted),
  ];
  items.sort((left, right) => Math.abs(right.z) - Math.abs(left.z));
  return aspect === "text"
    ? { ...result, items, words: illustrateWords(design, observed.runs, observer.words) }
    : { ...result, items };
}

function jointSignal({ test, looks }: Judgement): SignalResult | null {
  const tested = test.signals.find(({ kind }) => kind === "joint");
  return tested === undefined ? null : signalResult(tested, looks);
}

function signalResult({ kind, of, ratio, noise, judged }: TestedSignal, looks: number): SignalResult {
  const adjusted = judged === undefined ? null : Math.min(1, looks * judged.adjusted);
  return { kind, of, ratio, noise, p: judged?.p ?? null, adjusted };
}

function endedSignal({ ratio, noise, p, reachable }: Endings, looks: number): SignalResult {
  const moves = reachable < 1;
  return {
    kind: "ended",
    of: "outcome",
    ratio,
    noise,
    p: moves ? p : null,
    adjusted: moves ? Math.min(1, looks * p) : null,
  };
}

function endedItem({ baseline, candidate, z, p }: Endings, looks: number): Item {
  return {
    item: NO_ANSWER,
    measure: "no_answer",
    baselineMean: baseline.runs / baseline.of,
    candidateMean: candidate.runs / candidate.of,
    z,
    adjusted: Math.min(1, looks * p),
  };
}

function cohortFacts(design: Design, { runs, collisions }: Separated, test: CohortTest): CohortFacts {
  const repeats = design.scenarios.flatMap(({ baseline, candidate }) => [baseline, candidate]);
  const candidates = countCandidates(design);
  const anything = groups.some((group) => test.varying[group].length > 0);
  return {
    scenarios: design.scenarios.length,
    runsBaseline: design.order.length - candidates,
    runsCandidate: candidates,
    repeats: {
      min: repeats.reduce((least, value) => Math.min(least, value), repeats[0] ?? 0),
      median: median(repeats),
      max: repeats.reduce((most, value) => Math.max(most, value), 0),
    },
    leftOut: design.leftOut,
    collisions,
    formats: { baseline: formatsOf(runs, "baseline"), candidate: formatsOf(runs, "candidate") },
    times: recordedTimes(runs) ?? null,
    onBothSides: countOnBothSides(runs),
    identical: design.scenarios.length > 0 && !anything,
    comparedPairs: test.pairs !== undefined,
  };
}
