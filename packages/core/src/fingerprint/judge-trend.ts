/**
 * What a series means, decided once. Facts (a tool that no earlier point used, runs on new paths) and answers of the test
 * become findings; the verdict follows from the findings, and so do the lead, the gate and every label.
 *
 * A new tool counts by itself: whether it may be called is not a matter of chance. Everything else counts when it is beyond
 * chance. A series is steady only when there is no finding at all, so no green can stand over one.
 */
import type { GateReason } from "../report/report.ts";
import { COIN, type SeriesAnswer, type SignalForm, TREND_ALPHA } from "./series/answer.ts";
import type { NumberAnswer, ResponseAnswer, SeriesRun, ToolAnswer } from "./series/test-series.ts";

/**
 * `drift`: beyond chance, or a tool never used before. `not_enough_evidence`: nothing could be tested, or something looks like
 * drift and the runs are too few to tell. `within_chance`: something differs as it would without drift. `steady`: nothing does.
 */
export type TrendVerdict = "drift" | "not_enough_evidence" | "within_chance" | "steady";

export interface TrendJudgement {
  readonly verdict: TrendVerdict;
  /** The smallest corrected p; null when nothing was tested. */
  readonly p: number | null;
  readonly alpha: number;
  /** What weighs most first. */
  readonly findings: readonly TrendFinding[];
}

export interface TrendFinding {
  readonly code: "new_tool" | "lost_tool" | "tool_use" | "new_paths" | "responses" | "measure";
  readonly weight: "drift" | "undecided" | "chance";
  /** The tool or the measure. */
  readonly subject?: string;
  /** `shift`: from this point on. `spike`: at this point alone. */
  readonly form: SignalForm;
  readonly point: string;
  /** Mean or share of runs: elsewhere (before, of a shift), and at the point (from it on). */
  readonly before?: number;
  readonly now?: number;
  /** Runs that show it, of how many. */
  readonly runs?: number;
  readonly of?: number;
  /** Corrected for all questions; null when the fact counts by itself. */
  readonly p: number | null;
}

export type TrendFailOn = "none" | "tools" | "drift";

interface TrendFacts {
  readonly points: readonly {
    readonly name: string;
    readonly tools: readonly string[];
    readonly knownPaths: number | null;
  }[];
  readonly measures: readonly Measure[];
  readonly paths: NumberAnswer;
  readonly tools: ToolAnswer;
  readonly responses: ResponseAnswer;
}

interface Measure {
  readonly name: string;
  readonly test: NumberAnswer;
}

type Points = readonly (readonly SeriesRun[])[];

const WEIGHTS = ["drift", "undecided", "chance"] as const;
const CODES = ["new_tool", "lost_tool", "tool_use", "new_paths", "measure", "responses"] as const;

export function judgeTrend(facts: TrendFacts, points: Points): TrendJudgement {
  const findings = [
    ...toolFindings(facts, points),
    ...pathFindings(facts, points),
    ...facts.measures.flatMap((measure) => measureFinding(measure, facts, points)),
    ...responseFinding(facts),
  ].sort(
    (one, other) =>
      WEIGHTS.indexOf(one.weight) - WEIGHTS.indexOf(other.weight) ||
      CODES.indexOf(one.code) - CODES.indexOf(other.code),
  );
  const answers: readonly SeriesAnswer[] = [
    facts.paths,
    facts.tools,
    facts.responses,
    ...facts.measures.map(({ test }) => test),
  ];
  const tested = answers.filter(({ state }) => state !== "not_evaluated");
  const known = answers.flatMap(({ adjusted }) => (adjusted === null ? [] : [adjusted]));
  return {
    verdict: verdictOf(findings, tested.length > 0),
    p: known.length === 0 ? null : Math.min(...known),
    alpha: TREND_ALPHA,
    findings,
  };
}

/** Why a gate trips; empty when it does not. A gate that asks for drift and gets no answer is the caller's to refuse. */
export function trendReasons({ findings }: TrendJudgement, failOn: TrendFailOn): GateReason[] {
  const trips = {
    none: () => false,
    tools: ({ code }: TrendFinding) => code === "new_tool" || code === "lost_tool",
    drift: ({ weight }: TrendFinding) => weight === "drift",
  }[failOn];
  return findings.filter(trips).map(({ code, subject, point }) => ({ code, subject: subject ?? point }));
}

/** Whether the question that a gate asks has no answer: never a pass. */
export function isUnanswered({ verdict }: TrendJudgement, failOn: string): boolean {
  return failOn === "drift" && verdict === "not_enough_evidence";
}

function verdictOf(findings: readonly TrendFinding[], tested: boolean): TrendVerdict {
  const [first] = findings;
  if (first?.weight === "drift") return "drift";
  if (first?.weight === "undecided" || !tested) return "not_enough_evidence";
  return first === undefined ? "steady" : "within_chance";
}

function toolFindings({ points: shown, tools }: TrendFacts, points: Points): TrendFinding[] {
  const names = [...new Set(shown.flatMap((point) => point.tools))].sort();
  return names.flatMap((tool): TrendFinding[] => {
    const uses = points.map((runs) => runs.filter((run) => run.tools.has(tool)).length);
    const firstUse = uses.findIndex((runs) => runs > 0);
    const moved = tools.moved.find((move) => move.tool === tool);
    const has = (run: SeriesRun) => (run.tools.has(tool) ? 1 : 0);
    if (firstUse > 0) {
      const of = points[firstUse]!.length;
      const now = uses[firstUse]! / of;
      return [
        {
          code: "new_tool",
          weight: "drift",
          subject: tool,
          form: "shift",
          point: shown[firstUse]!.name,
          before: 0,
          now,
          runs: uses[firstUse]!,
          of,
          p: null,
        },
      ];
    }
    const gone = uses.findIndex(
      (runs, at) => runs === 0 && points[at]!.length > 0 && uses.slice(at).every((later) => later === 0),
    );
    if (gone > 0) {
      const weight = moved === undefined && tools.state === "drift" ? "chance" : factWeight(tools);
      return [
        {
          code: "lost_tool",
          weight,
          subject: tool,
          form: "shift",
          point: shown[gone]!.name,
          ...sides(points, "shift", gone, has),
          p: tools.adjusted,
        },
      ];
    }
    if (moved === undefined) return [];
    const { form, point } = moved;
    return [
      {
        code: "tool_use",
        weight: weightOf(tools),
        subject: tool,
        form,
        point: shown[point]!.name,
        ...sides(points, form, point, has),
        p: tools.adjusted,
      },
    ];
  });
}

function pathFindings({ points: shown, paths }: TrendFacts, points: Points): TrendFinding[] {
  const lowest = shown.reduce(
    (least, { knownPaths }, at) => ((knownPaths ?? 1) < (shown[least]!.knownPaths ?? 1) ? at : least),
    0,
  );
  if ((shown[lowest]?.knownPaths ?? 1) === 1) return [];
  const { form = "spike", point = lowest, adjusted } = paths;
  const earlier = new Set(points.slice(0, point).flatMap((runs) => runs.map((run) => run.path)));
  const later = points.slice(point, form === "spike" ? point + 1 : undefined).flat();
  const runs = later.filter((run) => !earlier.has(run.path)).length;
  return [
    {
      code: "new_paths",
      weight: factWeight(paths),
      form,
      point: shown[point]!.name,
      runs,
      of: later.length,
      p: adjusted,
    },
  ];
}

function measureFinding({ name, test }: Measure, { points: shown }: TrendFacts, points: Points): TrendFinding[] {
  const weight = weightOf(test);
  if (weight === "chance" || test.form === undefined || test.point === undefined) return [];
  const number = (run: SeriesRun) => run.numbers[name];
  return [
    {
      code: "measure",
      weight,
      subject: name,
      form: test.form,
      point: shown[test.point]!.name,
      ...sides(points, test.form, test.point, number),
      p: test.adjusted,
    },
  ];
}

function responseFinding({ points: shown, responses }: TrendFacts): TrendFinding[] {
  const weight = weightOf(responses);
  if (weight === "chance") return [];
  return [{ code: "responses", weight, form: "shift", point: shown.at(-1)!.name, p: responses.adjusted }];
}

function weightOf({ state }: SeriesAnswer): TrendFinding["weight"] {
  return state === "drift" || state === "undecided" ? state : "chance";
}

/** A fact that the test could not judge is open, unless chance does as much in nearly every second series. */
function factWeight(answer: SeriesAnswer): TrendFinding["weight"] {
  return answer.state === "not_evaluated" && (answer.p ?? 0) < COIN ? "undecided" : weightOf(answer);
}

/** The mean elsewhere and at the point: before and from it on of a shift, all others and it of a spike. */
function sides(points: Points, form: SignalForm, point: number, number: (run: SeriesRun) => number | undefined) {
  const inside = (at: number) => (form === "spike" ? at === point : at >= point);
  const mean = (wanted: boolean) => {
    const values = points.flatMap((runs, at) =>
      inside(at) === wanted ? runs.map(number).filter((value) => value !== undefined) : [],
    );
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const [before, now] = [mean(false), mean(true)];
  return { ...(before === undefined ? {} : { before }), ...(now === undefined ? {} : { now }) };
}
