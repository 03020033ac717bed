/**
 * Two stored runs side by side, without running anything: passes, score, cost, tokens and time, per case and in total. Passes of a case are
 * tested as counts, all cases as one family (read-case.ts). Figures are tested in total: the mean difference over the cases both have, each
 * case against itself (figure-test.ts), corrected for being several. Outages count nowhere.
 */

import type { Gate, ReportHeader, ReportInput, ToolInfo } from "../report/report.ts";
import { holm } from "../stats/holm.ts";
import { mean } from "../stats/mean.ts";
import { coverageOfRecords, groupByCase } from "./eval-report.ts";
import { type FigureMethod, testFigure } from "./figure-test.ts";
import { type CaseComparison, familyOf, readCase, SIGNIFICANCE } from "./read-case.ts";
import { judgedRuns } from "./run-ending.ts";
import type { RunRecord } from "./run-record.ts";
import { totalTokens } from "./total-tokens.ts";

export interface EvalCompareReport extends ReportHeader<"spoor.eval-compare/1"> {
  readonly baseline: ComparedRun;
  readonly candidate: ComparedRun;
  readonly figures: readonly ComparedFigure[];
  readonly cases: readonly ComparedCase[];
  /** Cases that only one of them has. */
  readonly onlyBaseline: readonly string[];
  readonly onlyCandidate: readonly string[];
}

export interface ComparedRun {
  readonly label: string;
  readonly file: string;
  /** Without outages. */
  readonly runs: number;
  readonly outages: number;
  readonly targets: readonly string[];
}

/** `pass_rate`: the share of a case's runs that pass. */
export type FigureName = "pass_rate" | "score" | "cost_usd" | "tokens" | "duration_ms";

/** Means over the cases that have the figure on both sides. */
export interface ComparedFigure {
  readonly figure: FigureName;
  readonly cases: number;
  readonly baseline?: number;
  readonly candidate?: number;
  /** How often chance alone moves a mean as far; corrected for the number of figures. Absent without a case that has it on both sides. */
  readonly corrected?: number;
  readonly method?: FigureMethod;
  readonly change: "higher" | "lower" | "none" | "unknown";
}

export interface ComparedCase {
  readonly id: string;
  readonly suite: string;
  readonly target: string;
  readonly baseline: CaseSide;
  readonly candidate: CaseSide;
  readonly comparison?: CaseComparison;
}

export type CaseSide = { readonly passed: number; readonly runs: number } & {
  readonly [figure in FigureName]?: number;
};

const FIGURES: readonly FigureName[] = ["pass_rate", "score", "cost_usd", "tokens", "duration_ms"];

export interface StoredRun {
  readonly label: string;
  readonly file: string;
  readonly records: readonly RunRecord[];
}

export interface CompareRunsOptions {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  /** False with `--no-fail`: report only. */
  readonly gate: boolean;
}

export function compareRuns(baseline: StoredRun, candidate: StoredRun, options: CompareRunsOptions): EvalCompareReport {
  const { both, onlyBaseline, onlyCandidate } = pairCases(baseline.records, candidate.records);
  const judged = both.map(([before, after]) => ({
    before: judgedRuns(before),
    after: judgedRuns(after),
    first: after[0]!,
  }));
  const sides = judged.map(({ before, after, first }) => ({ before: sideOf(before), after: sideOf(after), first }));
  const family = familyOf(sides.map(({ before, after }) => [after, before]));
  const cases = sides.map(({ before, after, first }, index): ComparedCase => {
    const stored = { passed: before.passed, runs: before.runs };
    const { comparison } = readCase(after, { passRate: 0, stored, family: family[index] });
    return {
      id: first.eval_id,
      suite: first.dataset,
      target: first.target,
      baseline: before,
      candidate: after,
      ...(comparison === undefined ? {} : { comparison }),
    };
  });
  const figures = figuresOf(judged);
  return {
    schema: "spoor.eval-compare/1",
    tool: options.tool,
    inputs: options.inputs,
    baseline: runOf(baseline),
    candidate: runOf(candidate),
    figures,
    cases,
    onlyBaseline,
    onlyCandidate,
    coverage: coverageOfRecords(
      both.flatMap((sides) => sides.flat()),
      [],
    ),
    gate: gateOf(cases, figures, options.gate),
  };
}

interface PairedCases {
  readonly both: readonly (readonly [before: readonly RunRecord[], after: readonly RunRecord[]])[];
  readonly onlyBaseline: readonly string[];
  readonly onlyCandidate: readonly string[];
}

/** Of the same suite, id and target; where each run has a single target, of the same suite and id. */
function pairCases(baseline: readonly RunRecord[], candidate: readonly RunRecord[]): PairedCases {
  const isSingle = [baseline, candidate].every((records) => new Set(records.map(({ target }) => target)).size === 1);
  const left = groupByCase(baseline, !isSingle);
  const right = groupByCase(candidate, !isSingle);
  const named = (groups: ReadonlyMap<string, readonly RunRecord[]>, other: ReadonlyMap<string, unknown>) =>
    [...groups].flatMap(([key, [first]]) => (other.has(key) ? [] : [first!.eval_id]));
  return {
    both: [...right].flatMap(([key, after]) => {
      const before = left.get(key);
      return before === undefined ? [] : [[before, after] as const];
    }),
    onlyBaseline: named(left, right),
    onlyCandidate: named(right, left),
  };
}

function sideOf(judged: readonly RunRecord[]): CaseSide {
  const figures = FIGURES.flatMap((figure) => {
    const values = judged.flatMap((record) => figureOf(record, figure) ?? []);
    return values.length === 0 ? [] : [[figure, mean(values)] as const];
  });
  return {
    passed: judged.filter((record) => record.passed).length,
    runs: judged.length,
    ...Object.fromEntries(figures),
  };
}

function figureOf(record: RunRecord, figure: FigureName): number | undefined {
  if (figure === "pass_rate") return record.passed ? 1 : 0;
  if (figure !== "tokens") return record[figure];
  const usage = record.token_usage;
  return usage === undefined ? undefined : totalTokens(usage);
}

interface JudgedCase {
  readonly before: readonly RunRecord[];
  readonly after: readonly RunRecord[];
}

function figuresOf(judged: readonly JudgedCase[]): ComparedFigure[] {
  const known = FIGURES.map((figure) =>
    judged.flatMap(({ before, after }) => {
      const [baseline, candidate] = [before, after].map((runs) => runs.flatMap((run) => figureOf(run, figure) ?? []));
      return baseline!.length === 0 || candidate!.length === 0 ? [] : [{ baseline: baseline!, candidate: candidate! }];
    }),
  );
  const tests = known.map((cases) => (cases.length === 0 ? undefined : testFigure(cases)));
  const corrected = holm(tests.flatMap((test) => test?.chance ?? []));
  let next = 0;
  return FIGURES.map((figure, index): ComparedFigure => {
    const [cases, test] = [known[index]!, tests[index]];
    if (test === undefined) return { figure, cases: 0, change: "unknown" };
    const before = mean(cases.map(({ baseline }) => mean(baseline)));
    const after = mean(cases.map(({ candidate }) => mean(candidate)));
    const chance = corrected[next++]!;
    const change = chance > SIGNIFICANCE || before === after ? "none" : after > before ? "higher" : "lower";
    return {
      figure,
      cases: cases.length,
      baseline: before,
      candidate: after,
      corrected: chance,
      method: test.method,
      change,
    };
  });
}

function runOf({ label, file, records }: StoredRun): ComparedRun {
  const judged = judgedRuns(records).length;
  return {
    label,
    file,
    runs: judged,
    outages: records.length - judged,
    targets: [...new Set(records.map(({ target }) => target))],
  };
}

function gateOf(cases: readonly ComparedCase[], figures: readonly ComparedFigure[], enabled: boolean): Gate {
  const reasons = [
    ...cases
      .filter(({ comparison }) => comparison?.change === "worse")
      .map(({ id }) => ({ code: "case.worse", subject: id })),
    ...figures
      .filter(({ figure, change }) => (figure === "score" || figure === "pass_rate") && change === "lower")
      .map(({ figure }) => ({ code: "figure.worse", subject: figure })),
  ];
  return { failOn: enabled ? "case" : "none", tripped: enabled && reasons.length > 0, reasons };
}
