/** Vectors of the cohort lens: each file's `group` names the part that is checked. */
import type { Json, JsonObject } from "@spoor/core";
import type { SignalName } from "@spoor/core/internal/cohort/aspects";
import { compareCohorts } from "@spoor/core/internal/cohort/compare-cohorts";
import { buildDesign, type Design } from "@spoor/core/internal/cohort/design";
import { buildDeviations, NO_VARIANCE } from "@spoor/core/internal/cohort/deviations";
import { runDistances } from "@spoor/core/internal/cohort/distances";
import { featureName, groups, runFeatures } from "@spoor/core/internal/cohort/features";
import { type IntervalKind, simultaneousIntervals } from "@spoor/core/internal/cohort/intervals";
import { createObserver, type Row } from "@spoor/core/internal/cohort/observe";
import { pairIndex } from "@spoor/core/internal/cohort/pairs";
import { occurrencesNeeded, runsForMean, runsForNewTool } from "@spoor/core/internal/cohort/planning";
import { countLabellings, drawLabels, relabel } from "@spoor/core/internal/cohort/relabel";
import type { CohortRun, Side } from "@spoor/core/internal/cohort/run";
import { createSequentialTest } from "@spoor/core/internal/cohort/sequential";
import { callersOfTools, createNovelCount } from "@spoor/core/internal/cohort/signals/novel";
import { createScenarioSums } from "@spoor/core/internal/cohort/signals/scenario";
import { createShiftSums, type ShiftSums } from "@spoor/core/internal/cohort/signals/shift";
import { ENUMERATION_LIMIT } from "@spoor/core/internal/stats/draws-for";
import { judgeFamily, pValues, shareAtLeast } from "@spoor/core/internal/stats/family";
import { createRandom } from "@spoor/core/internal/stats/random";
import { isEffectName } from "@spoor/core/internal/trace/effects";
import { isObject, member, numberMember } from "@spoor/core/internal/trace/json";
import type { Adapter, VectorFile } from "../adapter.ts";
import { compare } from "../compare.ts";

/** What a group's cases compute. */
const calculations: Readonly<Record<string, (testCase: JsonObject) => Json>> = {
  "cohort-effect-names": (testCase) => ({ effect: isEffectName(testCase["tool"] as string) }),
  "cohort-distances": distances,
  "cohort-features": features,
  "cohort-shift": shift,
  "cohort-scenario": scenario,
  "cohort-novel": novel,
  "cohort-family": family,
  "cohort-intervals": intervals,
  "cohort-relabelling": relabelling,
  "cohort-sequential": sequential,
  "cohort-planning": planning,
  "cohort-report": report,
};

export const cohortAdapter: Adapter = {
  name: "cohort",
  matches: (testCase, file) => isObject(member(testCase, "expected")) && groupOf(file) !== undefined,
  run(testCase, file) {
    const group = groupOf(file)!;
    const expected = keyedByItem(member(testCase, "expected")!);
    // Features are compared whole, group by group: one that should not be there would change every statistic.
    const partial = group !== "cohort-features";
    return compare(expected, keyedByItem(calculations[group]!(testCase)), {
      absolute: numberMember(file.head, "tolerance") ?? 1e-9,
      partial,
    });
  },
};

function groupOf(file: VectorFile): string | undefined {
  const group = member(file.head, "group");
  return typeof group === "string" && Object.hasOwn(calculations, group) ? group : undefined;
}

/** Lists of items are compared by name: their order is not part of the specification. */
function keyedByItem(value: Json): Json {
  if (Array.isArray(value)) {
    const named = value.length > 0 && value.every((entry) => typeof member(entry, "item") === "string");
    return named
      ? Object.fromEntries(value.map((entry) => [member(entry, "item") as string, entry]))
      : value.map(keyedByItem);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, keyedByItem(entry)]));
}

function designOf(testCase: JsonObject): Design {
  const side = testCase["side"] as readonly Side[];
  return buildDesign(
    (testCase["scenario"] as readonly string[]).map((scenario, index) => ({ scenario, side: side[index]! })),
  );
}

const EXACT = { limit: ENUMERATION_LIMIT, draws: 1999, seed: 42 } as const;

/** A statistic under every labelling, the observed one first. */
function underAll(design: Design, statistic: (labels: Uint8Array) => number): Float64Array {
  const labellings = relabel(design, EXACT);
  const values = new Float64Array(labellings.count);
  labellings.forEach((labels, index) => {
    values[index] = statistic(labels);
  });
  return values;
}

const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

function distances(testCase: JsonObject): Json {
  const observer = createObserver();
  const [a, b] = [testCase["a"], testCase["b"]].map((run) => observer.observe(run as unknown as CohortRun));
  return { ...runDistances(a!, b!) };
}

function features(testCase: JsonObject): Json {
  const features = runFeatures(testCase["run"] as unknown as CohortRun);
  const named = groups.filter((group) => member(testCase["expected"], group) !== undefined);
  return Object.fromEntries(
    named.map((group) => [
      group,
      Object.fromEntries([...features[group]].map(([identity, value]) => [featureName(group, identity), value])),
    ]),
  );
}

/** Rows as vectors give them: null where a feature does not apply. */
function sparseRows(testCase: JsonObject): Row[] {
  return (testCase["rows"] as readonly (readonly (number | null)[])[]).map((row) => {
    const columns = row.flatMap((value, column) => (value === null ? [] : [column]));
    return { columns: Int32Array.from(columns), values: Float64Array.from(columns, (column) => row[column]!) };
  });
}

function shiftOf(testCase: JsonObject): {
  design: Design;
  sums: ShiftSums;
  rows: Row[];
  varying: number[];
  names: readonly string[];
} {
  const design = designOf(testCase);
  const names = testCase["columns"] as readonly string[];
  const rows = sparseRows(testCase);
  const deviations = buildDeviations(
    design,
    rows,
    names.map(() => ({ absent: "unknown" as const, dependsOn: -1 })),
  );
  const varying = names.flatMap((_, column) => (deviations.variances[column]! > NO_VARIANCE ? [column] : []));
  return { design, sums: createShiftSums(design, deviations), rows, varying, names };
}

function shift(testCase: JsonObject): Json {
  const { design, sums, rows, varying, names } = shiftOf(testCase);
  const group = { columns: varying, scaled: testCase["standardise"] as boolean };
  const largest: number[] = [];
  const ratios = underAll(design, (labels) => {
    sums.addUp(labels);
    largest.push(sums.largestZ(varying));
    return sums.ratio(group);
  });
  sums.addUp(design.observed);
  const sideMean = (column: number, side: number): number => {
    const values: number[] = [];
    for (let place = 0; place < design.order.length; place++) {
      const row = rows[design.order[place]!]!;
      const at = row.columns.indexOf(column);
      if (design.observed[place] === side && at >= 0) values.push(row.values[at]!);
    }
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const largestZ = Float64Array.from(largest);
  return {
    labellings: countLabellings(design),
    exact: countLabellings(design) <= EXACT.limit,
    ratio: ratios[0]!,
    p: pValues(ratios)[0]!,
    meanRatioOverLabellings: meanOf(ratios),
    items: varying.map((column) => ({
      item: names[column]!,
      z: sums.z(column),
      adjusted: shareAtLeast(largestZ, Math.abs(sums.z(column))),
      baselineMean: sideMean(column, 0),
      candidateMean: sideMean(column, 1),
    })),
  };
}

function scenario(testCase: JsonObject): Json {
  const design = designOf(testCase);
  const matrix = testCase["distances"] as readonly (readonly number[])[];
  const blocks = design.scenarios.map(({ start, end }) => {
    const block = new Float64Array(pairIndex(end - start, 0));
    for (let row = 1; row < end - start; row++) {
      for (let column = 0; column < row; column++) {
        block[pairIndex(row, column)] = matrix[design.order[start + row]!]![design.order[start + column]!]!;
      }
    }
    return block;
  });
  const sums = createScenarioSums(design, { width: 1, blocks }, 1);
  const ratios = underAll(design, (labels) => sums.ratios(labels)[0]!);
  return {
    labellings: countLabellings(design),
    ratio: ratios[0]!,
    p: pValues(ratios)[0]!,
    meanRatioOverLabellings: meanOf(ratios),
  };
}

function novel(testCase: JsonObject): Json {
  const design = designOf(testCase);
  const tools = testCase["tools"] as readonly (readonly string[])[];
  const names = [...new Set(tools.flat())];
  const callers = callersOfTools(design, names.length, (position) =>
    tools[position]!.map((tool) => names.indexOf(tool)),
  );
  const { count } = createNovelCount(design, callers);
  const counts = underAll(design, count);
  return { runs: counts[0]!, p: pValues(counts)[0]!, labellings: countLabellings(design) };
}

function family(testCase: JsonObject): Json {
  const table = testCase["table"] as JsonObject;
  const names = Object.keys(table);
  const { signals, ...rest } = judgeFamily(names.map((name) => Float64Array.from(table[name] as readonly number[])));
  return {
    ...rest,
    signals: Object.fromEntries(names.map((name, index) => [name, signals[index] ? { ...signals[index] } : null])),
  };
}

function intervals(testCase: JsonObject): Json {
  const { design, sums, rows, names } = shiftOf(testCase);
  const kinds = testCase["kinds"] as readonly IntervalKind[];
  const all = names.map((_, column) => column);
  const largestZ = underAll(design, (labels) => {
    sums.addUp(labels);
    return sums.largestZ(all);
  });
  const columns = names.map((item, column) => ({
    item,
    kind: kinds[column]!,
    values: Float64Array.from(design.order, (position) => rows[position]!.values[column]!),
  }));
  const alpha = numberMember(testCase, "alpha") ?? 0.05;
  const result = simultaneousIntervals(design, columns, largestZ, { alpha, toleranceRate: 0.2, toleranceSize: 1.25 })!;
  return { critical: result.critical, items: result.items.map(withSe) };
}

function withSe({ standardError, ...rest }: { readonly standardError: number; readonly item: string }): JsonObject {
  return { ...rest, se: standardError };
}

function relabelling(testCase: JsonObject): Json {
  const design = designOf(testCase);
  const random = createRandom(numberMember(testCase, "seed") ?? 42);
  const labels = new Uint8Array(design.order.length);
  return {
    labellings: countLabellings(design),
    randomDraws: [0, 1, 2, 3].map(() => [...drawLabels(design, random, labels)]),
  };
}

function sequential(testCase: JsonObject): Json {
  const pairs = testCase["pairs"] as readonly Readonly<
    Record<string, readonly [readonly number[], readonly number[]]>
  >[];
  const names = [...new Set(pairs.flatMap((pair) => Object.keys(pair)))];
  const test = createSequentialTest(names.length, numberMember(testCase, "alpha") ?? 0.05);
  const wealth = pairs.map((pair) =>
    test.add(
      names.map((name) => {
        const [baseline, candidate] = pair[name] ?? [[], []];
        return new Map(baseline.map((value, feature) => [`${feature}`, candidate[feature]! - value]));
      }),
    ),
  );
  return { wealth, stoppedAfter: test.stoppedAfter ?? null };
}

function planning(testCase: JsonObject): Json {
  const options = { alpha: numberMember(testCase, "alpha") ?? 0.05, power: numberMember(testCase, "power") ?? 0.8 };
  if (testCase["kind"] === "novel") {
    const runsPerSide = runsForNewTool(numberMember(testCase, "share")!, options) ?? null;
    return { occurrencesNeeded: occurrencesNeeded(options.alpha), runsPerSide };
  }
  const { variance, difference } = testCase as { variance: number; difference: number };
  return { runsPerSide: runsForMean(variance, difference, options) ?? null };
}

function report(testCase: JsonObject): Json {
  const given = testCase["options"];
  const options = {
    limit: numberMember(given, "limit"),
    draws: numberMember(given, "count"),
    seed: numberMember(given, "seed"),
  };
  const defined = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  // A case speaks of the signals that it names; those of the first design know nothing of the ones added since, nor of weights.
  const known = member(testCase["expected"], "ratios");
  const names = ({ kind, of }: Pick<SignalName, "kind" | "of">) =>
    isObject(known) && Object.hasOwn(known, `${kind}:${of}`);
  const isFirstDesign = isObject(known) && !names({ kind: "shift", of: "rhythm" });
  const result = compareCohorts(testCase["runs"] as unknown as readonly CohortRun[], {
    ...defined,
    judges: (signal) => !isObject(known) || names(signal),
    ...(isFirstDesign ? { weightOf: () => 1 } : {}),
  });
  const signals = [
    ...result.aspects.flatMap(({ signals }) => signals),
    ...(result.joint === null ? [] : [result.joint]),
  ].map((signal) => ({ key: `${signal.kind}:${signal.of}`, ...signal }));
  return {
    verdict: result.verdict,
    scope: result.scope,
    labellings: result.relabellings.count,
    exact: result.relabellings.exact,
    ratios: Object.fromEntries(signals.map(({ key, ratio }) => [key, ratio])),
    signals: Object.fromEntries(signals.map(({ key, p, adjusted }) => [key, p === null ? null : { p, adjusted }])),
    strongest: result.strongest,
    together: result.together,
    p: result.p,
    reachable: result.reachable,
    intervals:
      result.intervals === null
        ? null
        : { critical: result.intervals.critical, items: result.intervals.items.map(withSe) },
  };
}
