/**
 * Paths → runs of a cohort, one trace at a time: each trace is reduced to what the lens needs and then forgotten, so that
 * memory grows with the number of runs and not with the size of their files.
 */
import type { Trace } from "@spoor/core";
import { buildRun } from "@spoor/core/internal/cohort/build-run";
import type { CohortRun, Side } from "@spoor/core/internal/cohort/run";
import { scenarioByKey } from "@spoor/core/internal/cohort/scenario-id";
import { parseScenarioPattern } from "@spoor/core/internal/cohort/scenario-pattern";
import { SpoorError } from "@spoor/core/internal/errors";
import { coverageOf, sumCoverage } from "@spoor/core/internal/report/coverage";
import type { Coverage, ReportInput } from "@spoor/core/internal/report/report";
import { contentOf } from "@spoor/core/internal/trace/comparable-content";
import { worldOf } from "@spoor/core/internal/trace/one-world";
import { present } from "@spoor/core/internal/trace/present";
import { type ReduceOptions, reduceTraces } from "./threads/reduce-traces.ts";
import { defineReduction } from "./threads/reduction.ts";

export interface CohortLoadOptions extends ReduceOptions {
  /** `--scenario`: a metadata key, or a regular expression over the path and name of a trace. */
  readonly scenario?: string;
  readonly effects?: readonly string[];
  readonly readOnly?: readonly string[];
}

export interface LoadedSide {
  readonly runs: number;
  readonly inputs: readonly ReportInput[];
  readonly coverage: Coverage;
  /** Whether what was said was kept, and under which keys it was not. */
  readonly contents: ReadonlySet<string>;
  /** Whether the runs are live, or which of their inputs were replayed. */
  readonly worlds: ReadonlySet<string>;
}

/** `files`: those of the paths that are this side's; by default all. */
export async function loadSide(
  paths: readonly string[],
  side: Side,
  options: CohortLoadOptions,
  add: (run: CohortRun) => void,
  files: readonly string[] = paths,
): Promise<LoadedSide> {
  const { scenario, effects, readOnly } = options;
  const settings = present({ side, scenario, effects, readOnly });
  const formats = new Set<string>();
  const contents = new Set<string>();
  const worlds = new Set<string>();
  let coverage = coverageOf([]);
  let runs = 0;
  for await (const read of reduceTraces(files, cohortReduction, settings, options)) {
    add(read.run);
    formats.add(read.format);
    contents.add(read.content);
    worlds.add(read.world);
    coverage = sumCoverage([coverage, read.coverage]);
    runs++;
  }
  const format = [...formats].sort().join(", ");
  const counted = paths.length === 1 ? { traces: runs } : {};
  const inputs = paths.map((path) => ({ role: side, path, ...(format === "" ? {} : { format }), ...counted }));
  return { runs, coverage, inputs, contents, worlds };
}

interface CohortSettings extends Partial<Pick<CohortLoadOptions, "scenario" | "effects" | "readOnly">> {
  readonly side: Side;
}

interface ReadRun {
  readonly run: CohortRun;
  readonly format: string;
  readonly content: string;
  readonly world: string;
  readonly coverage: Coverage;
}

export const cohortReduction = defineReduction<CohortSettings, ReadRun>({
  name: "cohort",
  start({ side, ...options }) {
    const runOf = createRunReader(side, options);
    return (trace) => ({
      run: runOf(trace),
      format: trace.source.format,
      content: contentOf(trace),
      world: worldOf(trace),
      coverage: coverageOf([trace]),
    });
  },
});

/** Trace → run, with the scenario and effects as the options ask. */
export function createRunReader(side: Side, options: CohortLoadOptions): (trace: Trace) => CohortRun {
  const scenarioOf = options.scenario === undefined ? undefined : createScenarioReader(options.scenario);
  const sets = {
    ...(options.effects === undefined ? {} : { effects: new Set(options.effects) }),
    ...(options.readOnly === undefined ? {} : { readOnly: new Set(options.readOnly) }),
  };
  return (trace) =>
    buildRun(trace, side, { ...sets, ...(scenarioOf === undefined ? {} : { scenario: scenarioOf(trace) }) });
}

const KEY = /^[\w.-]+$/;

function createScenarioReader(wanted: string): (trace: Trace) => string {
  const read = KEY.test(wanted) ? (trace: Trace) => scenarioByKey(trace, wanted) : scenarioByPattern(wanted);
  return (trace) => {
    const scenario = read(trace);
    if (scenario !== undefined) return scenario;
    const where = `${trace.source.path ?? "-"}${trace.source.entry === undefined ? "" : ` (${trace.source.entry})`}`;
    throw new SpoorError("cohort.no-scenario", `--scenario ${wanted} finds no scenario in ${where}.`, {
      at: trace.source.path === undefined ? {} : { file: trace.source.path },
      consequence: "A run without a scenario cannot be compared with any other, so nothing was compared.",
      hint: "Give a metadata key that every trace has, or a regular expression that matches every path; its first group is the scenario.",
    });
  };
}

/** In the path and name of a trace. */
function scenarioByPattern(source: string): (trace: Trace) => string | undefined {
  const find = parseScenarioPattern(source);
  return ({ source: { path, entry } }) => find(`${path ?? ""}${entry === undefined ? "" : ` ${entry}`}`);
}
