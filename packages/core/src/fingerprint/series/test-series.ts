/**
 * One test of a whole series: is there anything that handing the same runs to the points by chance would not show?
 *
 * Asked at once: new paths, the use of each tool, each number, and the responses of the first against the last point. All
 * share the same labellings, and what counts is decided on the smallest p over all of them (stats/min-p.ts): at most one
 * false alarm in twenty series without drift, however many questions and points. Assumes that runs are independent and that
 * the points had the same kind of work to do. Cost: labellings · runs · (tools + numbers).
 */
import { drawsFor } from "../../stats/draws-for.ts";
import { judgeMinP } from "../../stats/min-p.ts";
import type { Seed } from "../../stats/random.ts";
import { answerOf, type JudgedSignal, notTested, type SeriesAnswer, type SignalForm, TREND_ALPHA } from "./answer.ts";
import { type Band, numberBand, pathBand } from "./bands.ts";
import { countWays, placementOf, relabelPoints } from "./relabel-points.ts";
import { type ResponseVector, t2OfScale } from "./response-shift.ts";
import { type ToolWatch, type Watch, watchColumn, watchPaths, watchResponses, watchTools } from "./watches.ts";

/** One run as the series sees it. */
export interface SeriesRun {
  readonly path: string;
  readonly tools: ReadonlySet<string>;
  /** By name; absent when not recorded. */
  readonly numbers: Readonly<Record<string, number | undefined>>;
  readonly responses: readonly ResponseVector[];
  /** What the run was asked to do; absent when nobody knows. */
  readonly scenario?: string;
}

export interface NumberAnswer extends SeriesAnswer {
  /** Where each point's value stays when nothing drifts; null where that cannot be said. */
  readonly band: readonly (Band | null)[];
}

export interface ToolAnswer extends SeriesAnswer {
  /** The tools that drifted, or of an undecided answer those that moved most. */
  readonly moved: readonly ToolMove[];
}

export interface ToolMove {
  readonly tool: string;
  readonly form: SignalForm;
  readonly point: number;
}

export interface ResponseAnswer extends SeriesAnswer {
  /** Null when unbounded (two constant clouds), or when nothing was tested. */
  readonly t2: number | null;
  /** Responses of the first and of the last point. */
  readonly first: number;
  readonly last: number;
  /** What was relabelled: whole runs, or single responses where the runs are too few. */
  readonly unit?: "runs" | "responses";
}

export interface SeriesAnswers {
  readonly paths: NumberAnswer;
  readonly tools: ToolAnswer;
  readonly numbers: Readonly<Record<string, NumberAnswer>>;
  readonly responses: ResponseAnswer;
  readonly relabellings: SeriesRelabellings;
}

export interface SeriesRelabellings {
  /** 0 when there are too few ways for a test. */
  readonly count: number;
  readonly exact: boolean;
  /** Scenarios that stand at every point: their runs change places only with each other. 0 when runs are taken as alike. */
  readonly scenarios: number;
}

export interface SeriesOptions {
  /** Names of the numbers to watch. */
  readonly numbers: readonly string[];
  readonly seed?: Seed;
  /** Random labellings; by default as many as the work allows, 1,999 at most. */
  readonly draws?: number;
}

type Points = readonly (readonly SeriesRun[])[];

/** With fewer ways to place the units no p reaches 0.05. */
const FEWEST_WAYS = 1 / TREND_ALPHA;
/** From so many ways on, staying within scenarios costs no resolution. */
const MANY_WAYS = 1000;
/** Sums that a run brings to the comparison of responses. */
const RESPONSE_SUMS = 91;

export function testSeries(points: Points, { numbers, seed = 42, ...options }: SeriesOptions): SeriesAnswers {
  const runs = points.flat();
  const sizes = points.map((point) => point.length);
  const toolNames = [...new Set(runs.flatMap((run) => [...run.tools]))].sort();
  const draws = options.draws ?? drawsFor(runs.length, numbers.length + toolNames.length + RESPONSE_SUMS);
  const strata = strataOf(points);
  const placement = placementOf(sizes, strata.names);
  const labellings = relabelPoints(placement, draws, seed);
  const { count } = labellings;
  const enough = points.length > 1 && countWays(placement) >= FEWEST_WAYS;
  const wholeRuns = responsesByRun(points, strata.names);

  const columns = numbers.map((name) =>
    watchColumn(
      Float64Array.from(runs, (run) => run.numbers[name] ?? Number.NaN),
      points.length,
      count,
    ),
  );
  const tools = watchTools(
    toolNames.map((tool) => Float64Array.from(runs, (run) => (run.tools.has(tool) ? 1 : 0))),
    points.length,
    count,
  );
  const paths = watchPaths(
    runs.map((run) => run.path),
    points.length,
    count,
  );
  const responses = wholeRuns
    ? watchResponses(
        runs.map((run) => run.responses),
        points.length - 1,
        count,
      )
    : undefined;
  const watches: Watch[] = [...columns, tools, paths, ...(responses === undefined ? [] : [responses])];
  if (enough) {
    labellings.forEach((labels, index) => {
      for (const watch of watches) watch.look(labels, index);
    });
  }

  // Runs and single responses are relabelled apart: each of the two families then has half of the error rate.
  const alone = wholeRuns ? undefined : testResponses(points, seed, options.draws);
  const shares = enough && alone !== undefined ? 2 : 1;
  const judged = judgeTogether(enough ? watches : [], TREND_ALPHA / shares);
  const answer = (watch: Watch, hasData: boolean): SeriesAnswer => {
    if (points.length < 2) return notTested("one_point");
    if (!hasData) return notTested("no_data");
    return enough ? answerOf(judged.get(watch)!, shares) : notTested("too_few_runs");
  };
  const signalsOf = (watch: Watch) => judged.get(watch) ?? [];
  const pathAnswer = answer(paths, runs.length > 0);

  const toolAnswer = answer(tools, runs.length > 0);
  const moved = toolMoves(toolAnswer, tools, signalsOf(tools)).map((move) => ({
    ...move,
    tool: toolNames[move.tool]!,
  }));
  return {
    paths: { ...pathAnswer, band: pathBand(paths.novelty(), sizes, pathAnswer, signalsOf(paths)) },
    tools: { ...toolAnswer, moved },
    numbers: Object.fromEntries(
      numbers.map((name, index) => {
        const watch = columns[index]!;
        const found = answer(watch, pointsWith(points, name) > 1);
        return [name, { ...found, band: numberBand(watch.column, sizes, found, signalsOf(watch)) }];
      }),
    ),
    responses: {
      ...(alone !== undefined
        ? alone.answer(shares)
        : {
            ...answer(responses!, true),
            unit: "runs",
            t2: enough ? t2OfScale(responses!.signals()[0]!.values[0]!) : null,
          }),
      first: responsesAt(points[0]),
      last: responsesAt(points.at(-1)),
    },
    relabellings: { count: enough ? count : 0, exact: labellings.exact, scenarios: strata.common },
  };
}

/** A tool may have moved in both forms: it is named once, in the one that came first. */
function toolMoves({ state }: SeriesAnswer, watch: ToolWatch, signals: readonly JudgedSignal[]) {
  if (state !== "drift" && state !== "undecided") return [];
  const named = new Set<number>();
  return signals.flatMap(({ signal, judged }) => {
    const limit = state === "drift" ? judged?.critical : signal.values[0];
    if (limit === undefined || judged === undefined) return [];
    const moves = watch.moved(signal.form, limit).filter(({ tool }) => !named.has(tool));
    for (const { tool } of moves) named.add(tool);
    return moves.map((move) => ({ ...move, form: signal.form }));
  });
}

function judgeTogether(watches: readonly Watch[], alpha: number): Map<Watch, JudgedSignal[]> {
  const signals = watches.map((watch) => watch.signals());
  const judged = judgeMinP(
    signals.flat().map(({ values }) => values),
    alpha,
  ).signals;
  let next = 0;
  return new Map(
    watches.map((watch, index) => [watch, signals[index]!.map((signal) => ({ signal, judged: judged[next++] }))]),
  );
}

/** Whole runs are relabelled when those of the first and the last point can change places in enough ways. */
function responsesByRun(points: Points, scenarios: readonly string[]): boolean {
  const [first, last] = [points[0] ?? [], points.at(-1) ?? []];
  if (points.length < 2 || responsesAt(first) < 2 || responsesAt(last) < 2) return false;
  const names = [...scenarios.slice(0, first.length), ...scenarios.slice(scenarios.length - last.length)];
  const both = first.length === last.length ? 2 : 1;
  return countWays(placementOf([first.length, last.length], names)) >= FEWEST_WAYS * both;
}

/**
 * Scenarios that every point has are compared within themselves, when they are most of the runs and leave many ways to place
 * them; all other runs are one group. With few ways all runs are one group: the same suite at every point needs no more.
 */
function strataOf(points: Points): { readonly names: readonly string[]; readonly common: number } {
  const all = points.flat();
  const filled = points.filter((runs) => runs.length > 0).map((runs) => new Set(runs.map((run) => run.scenario)));
  const common = new Set([...(filled[0] ?? [])].filter((scenario) => filled.every((names) => names.has(scenario))));
  common.delete(undefined);
  const covered = all.filter(({ scenario }) => common.has(scenario)).length;
  const names = all.map(({ scenario }) => (common.has(scenario) ? `=${scenario}` : ""));
  const sizes = points.map((runs) => runs.length);
  const useful = covered * 2 >= all.length && countWays(placementOf(sizes, names)) >= MANY_WAYS;
  return useful ? { names, common: common.size } : { names: all.map(() => ""), common: 0 };
}

function testResponses(
  points: Points,
  seed: Seed,
  draws: number | undefined,
): { answer(shares: number): Omit<ResponseAnswer, "first" | "last"> } | undefined {
  const [first, last] = [points[0] ?? [], points.at(-1) ?? []];
  const untested = (answer: SeriesAnswer) => ({ answer: () => ({ ...answer, t2: null }) });
  if (points.length < 2) return untested(notTested("one_point"));
  const sides = [first, last].map((runs) => runs.flatMap((run) => run.responses));
  const sizes = sides.map((side) => side.length);
  if (sizes.some((size) => size < 2)) return untested(notTested("too_few_responses"));
  // Whole runs where that leaves enough ways, whatever their scenario: the more careful choice.
  const wholeRuns = responsesByRun([first, last], []);
  const units = wholeRuns ? [...first, ...last].map((run) => run.responses) : sides.flat().map((vector) => [vector]);
  const placement = placementOf(wholeRuns ? [first.length, last.length] : sizes, []);
  const labellings = relabelPoints(placement, draws ?? drawsFor(units.length, RESPONSE_SUMS), seed);
  const watch = watchResponses(units, 1, labellings.count);
  labellings.forEach(watch.look);
  const judged = judgeTogether([watch], TREND_ALPHA);
  const place = points.length - 1;
  return {
    answer(shares) {
      const { point, ...answer } = answerOf(judged.get(watch)!, shares);
      const t2 = t2OfScale(watch.signals()[0]!.values[0]!);
      return {
        ...answer,
        ...(point === undefined ? {} : { point: place }),
        t2,
        unit: wholeRuns ? "runs" : "responses",
      };
    },
  };
}

function responsesAt(runs: readonly SeriesRun[] = []): number {
  return runs.reduce((sum, run) => sum + run.responses.length, 0);
}

function pointsWith(points: Points, name: string): number {
  return points.filter((runs) => runs.some((run) => run.numbers[name] !== undefined)).length;
}
