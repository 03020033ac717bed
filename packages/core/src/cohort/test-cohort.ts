/**
 * The test itself: all signals under all labellings, then one answer. Everything a report says beside it is description.
 *
 * Cost: B labellings × the values of the smaller side's rows, plus one sort of B numbers per signal. Memory: the rows and
 * one number per signal and labelling.
 */

import { drawsFor, ENUMERATION_LIMIT } from "../stats/draws-for.ts";
import { type FamilyResult, type RankedFamily, rankFamily, type SignalP } from "../stats/family.ts";
import type { Seed } from "../stats/random.ts";
import {
  type Aspect,
  aspectOfGroup,
  aspects,
  jointGroups,
  type SignalName,
  signalNames,
  weightOfSignal,
} from "./aspects.ts";
import type { Design } from "./design.ts";
import { buildDeviations, type Deviations, NO_VARIANCE } from "./deviations.ts";
import { type DistanceName, distanceNames } from "./distances.ts";
import { byGroup, type Group, groups, scaled } from "./features.ts";
import type { Column, Observation } from "./observe.ts";
import { countPairs, MOST_PAIRS, measurePairs, type PairTable } from "./pairs.ts";
import { type Relabellings, relabel, until } from "./relabel.ts";
import { createJointForm } from "./signals/joint.ts";
import { type CallersOfTool, callersOfTools, createNovelCount } from "./signals/novel.ts";
import { createScenarioSums, hasRepeats } from "./signals/scenario.ts";
import { createShiftSums, type ShiftGroup, type ShiftSums } from "./signals/shift.ts";
import { BATCH } from "./signals/side-sums.ts";

export interface TestOptions {
  /** Restricts the question, and so the price paid for asking it. */
  readonly aspects?: readonly Aspect[];
  /** Leaves out signals, for those who measure what one of them is worth. */
  readonly judges?: (signal: SignalName) => boolean;
  /** Largest number of labellings that is enumerated. */
  readonly limit?: number;
  /** Random labellings when there are more; by default as many as the work allows, at most 1,999. */
  readonly draws?: number;
  readonly seed?: Seed;
  /** Drawn already, of a design of the same shape; then `limit`, `draws` and `seed` say nothing. */
  readonly relabellings?: Relabellings;
  /** Measures the distances of all pairs, for those who know some already. */
  readonly measure?: (design: Design, runs: readonly Observation[]) => PairTable;
  /** Only the answer is wanted: items and intervals have nothing to rest on. */
  readonly isBrief?: boolean;
  /** How much a signal counts; by default as `aspects.ts` says. */
  readonly weightOf?: (signal: SignalName) => number;
  /** Asked now and then, with how many labellings are done and the global p over them; true ends the test with those. */
  readonly isEnough?: (done: number, globalP: () => number, signals: number) => boolean;
}

/** What is observed, in the numbering of one observer. */
export interface Observed {
  readonly runs: readonly Observation[];
  readonly columns: readonly Column[];
  readonly tools: readonly string[];
}

export interface TestedSignal extends SignalName {
  /** The observed value: 1 is noise for shift and scenario, a number of runs for novel. */
  readonly ratio: number;
  /** 95 % of the relabellings stay at or below this value. */
  readonly noise: number;
  /** Undefined when no relabelling moves the signal. */
  readonly judged: SignalP | undefined;
}

export interface CohortTest {
  readonly signals: readonly TestedSignal[];
  readonly family: Omit<FamilyResult, "signals">;
  readonly relabellings: { readonly count: number; readonly exact: boolean };
  readonly deviations: Deviations;
  /** Sums under the observed labels. */
  readonly sums: ShiftSums;
  /** The columns of each group that vary. */
  readonly varying: Readonly<Record<Group, readonly number[]>>;
  /** Per group, the largest |z| under every labelling. */
  readonly largestZ: Readonly<Record<Group, Float64Array>>;
  /** The largest |z| among `watched` columns under every labelling. */
  readonly watchedZ: Float64Array;
  readonly callers: CallersOfTool;
  /** Absent when there are too many pairs to compare. */
  readonly pairs: PairTable | undefined;
}

/** `watched`: columns whose largest |z| is wanted beside the groups' (the intervals need it). */
export function testCohort(
  design: Design,
  observed: Observed,
  options: TestOptions = {},
  watched: readonly number[] = [],
): CohortTest {
  const { runs, columns } = observed;
  const deviations = buildDeviations(design, runs, columns);
  const varying = varyingColumns(columns, deviations);
  const pairs = countPairs(design) <= MOST_PAIRS ? (options.measure ?? measurePairs)(design, runs) : undefined;
  const callers = callersOfTools(design, observed.tools.length, (position) => runs[position]!.names);
  const relabellings =
    options.relabellings ??
    relabel(design, {
      limit: options.limit ?? ENUMERATION_LIMIT,
      draws: options.draws ?? drawsFor(design.order.length, columns.length),
      seed: options.seed ?? 42,
    });

  const sums = createShiftSums(design, deviations);
  const novel = createNovelCount(design, callers);
  const gone = createNovelCount(design, callers, 0);
  const scenario =
    pairs !== undefined && hasRepeats(design) ? createScenarioSums(design, pairs, distanceNames.length) : undefined;
  const chosen = options.aspects ?? aspects;
  const together = jointGroups.filter((group) => chosen.includes(aspectOfGroup(group)));
  // Of one aspect alone the joint signal would only be a second opinion.
  const joint =
    together.length < 2 || options.judges?.(jointName) === false
      ? undefined
      : createJointForm(
          design,
          deviations,
          together.flatMap((group) => varying[group]),
        );
  const names = signalNames.filter(
    (name) =>
      (name.aspect === undefined || chosen.includes(name.aspect)) &&
      (name.kind !== "scenario" || scenario !== undefined) &&
      (name.kind !== "joint" || joint !== undefined) &&
      (options.judges?.(name) ?? true),
  );
  const shiftGroups = byGroup((group): ShiftGroup => ({ columns: varying[group], scaled: scaled[group] }));

  const weights = names.map(options.weightOf ?? weightOfSignal);
  const { count, exact } = relabellings;
  const table = names.map(() => new Float64Array(count));
  const described = options.isBrief === true ? 0 : count;
  const largestZ = byGroup(() => new Float64Array(described));
  const watchedZ = new Float64Array(described);
  let done = count;
  let family: RankedFamily | undefined;
  const looked = until(relabellings, (index) => {
    // Sums are made in batches: at the end of one, everything before has been measured.
    if (options.isEnough === undefined || index === 0 || index % BATCH !== 0) return false;
    family = undefined;
    const soFar = () => {
      family = rankFamily(firstOf(table, index), weights);
      return family.p;
    };
    if (!options.isEnough(index, soFar, table.length)) return false;
    done = index;
    return true;
  });
  const zOf = (column: number) => sums.z(column);
  let ratios: Float64Array | undefined;
  const measures = names.map(({ kind, of }): ((labels: Uint8Array) => number) => {
    const group = shiftGroups[of as Group];
    const distance = distanceNames.indexOf(of as DistanceName);
    if (kind === "shift") return () => sums.ratio(group);
    if (kind === "scenario") return () => ratios![distance]!;
    if (kind === "joint") return (labels) => joint!.ratio(labels, zOf);
    return (kind === "novel" ? novel : gone).count;
  });
  sums.forEach(looked, (labels, labelling) => {
    ratios = scenario?.ratios(labels);
    for (let signal = 0; signal < measures.length; signal++) table[signal]![labelling] = measures[signal]!(labels);
    if (options.isBrief === true) return;
    for (const group of groups) largestZ[group][labelling] = sums.largestZ(varying[group]);
    watchedZ[labelling] = sums.largestZ(watched);
  });
  sums.addUp(design.observed);

  const measured = firstOf(table, done);
  const ranked = done < count && family !== undefined ? family : rankFamily(measured, weights);
  const { signals, ...answer } = ranked.judge();
  return {
    signals: names.map((name, index) => ({
      ...name,
      ratio: table[index]![0]!,
      noise: options.isBrief === true ? 0 : upperNoise(measured[index]!),
      judged: signals[index],
    })),
    family: answer,
    relabellings: { count: done, exact: exact && done === count },
    deviations,
    sums,
    varying,
    largestZ,
    watchedZ,
    callers,
    pairs,
  };
}

/** The values of the first `count` labellings. */
function firstOf(table: readonly Float64Array[], count: number): readonly Float64Array[] {
  return table.map((values) => values.subarray(0, count));
}

function varyingColumns(columns: readonly Column[], { variances }: Deviations): Record<Group, number[]> {
  const varying = byGroup((): number[] => []);
  for (const [index, { group }] of columns.entries()) if (variances[index]! > NO_VARIANCE) varying[group].push(index);
  return varying;
}

function upperNoise(values: Float64Array): number {
  const sorted = values.slice().sort();
  return sorted[Math.max(0, Math.ceil(NOISE_SHARE * sorted.length - 1e-9) - 1)]!;
}

const NOISE_SHARE = 0.95;

const jointName = signalNames.find(({ kind }) => kind === "joint")!;
