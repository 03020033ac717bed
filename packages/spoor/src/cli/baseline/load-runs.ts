/** Traces from the command line as run facts, one at a time, with what the report says about its inputs. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { coverageOf, sumCoverage } from "@spoor/core/internal/report/coverage";
import type { Coverage, ReportInput } from "@spoor/core/internal/report/report";
import { nearest } from "@spoor/core/internal/text/nearest";
import { list } from "../../document/words.ts";
import { type KeptRun, type RunSettings, runReduction, type SkippedRun } from "../../load/reduce-runs.ts";
import { reduceTraces } from "../../load/threads/reduce-traces.ts";
import type { Reduction } from "../../load/threads/reduction.ts";
import type { CommonValues } from "../command.ts";
import { type Io, isCi } from "../io.ts";
import { loadOptions } from "../load-options.ts";

/** Agents listed when the one asked for is not among them. */
const MOST_AGENTS = 5;

export interface LoadedRuns {
  readonly coverage: Coverage;
  readonly inputs: ReportInput[];
}

/** Visits every run without keeping the traces: a baseline of ten thousand of them fits into little memory. */
export async function forEachRun<Run extends KeptRun>(
  paths: readonly string[],
  reduction: Reduction<RunSettings, Run | SkippedRun>,
  settings: RunSettings,
  args: CommonValues,
  io: Io,
  visit: (run: Run) => void,
): Promise<LoadedRuns> {
  let coverage = coverageOf([]);
  const inputs = new Map<string, ReportInput>();
  const others = new Set<string>();
  for await (const run of reduceTraces(paths, reduction, settings, loadOptions(args, io))) {
    if ("otherAgent" in run) {
      others.add(run.otherAgent);
      continue;
    }
    coverage = sumCoverage([coverage, run.coverage]);
    const { path, format } = run;
    const known = inputs.get(path);
    inputs.set(path, { role: "trace", path, format, traces: (known?.traces ?? 0) + 1 });
    visit(run);
  }
  if (inputs.size === 0 && others.size > 0) throw noRunOf(settings.agent!, [...others]);
  return { coverage, inputs: [...inputs.values()] };
}

/** Named agents are misspelled more often than they are missing. */
function noRunOf(agent: string, others: readonly string[]): SpoorError {
  const close = nearest(agent, others);
  const rest = others.length - MOST_AGENTS;
  const known = [...others.slice(0, MOST_AGENTS), ...(rest > 0 ? [`${rest} more`] : [])];
  return new SpoorError("baseline.no-runs", `No run of ${agent} was found: the traces are of ${list(known)}.`, {
    consequence: "Nothing was compared or written.",
    ...(close === undefined ? {} : { hint: `Did you mean --agent ${close}?` }),
  });
}

export async function loadRuns(
  paths: readonly string[],
  settings: RunSettings,
  args: CommonValues,
  io: Io,
): Promise<LoadedRuns & { runs: RunFacts[] }> {
  const runs: RunFacts[] = [];
  const loaded = await forEachRun(paths, runReduction, settings, args, io, ({ facts }) => runs.push(facts));
  return { ...loaded, runs };
}

/** Runs by agent, in the order of first appearance. */
export function byAgent(runs: readonly RunFacts[]): Map<string, RunFacts[]> {
  const groups = new Map<string, RunFacts[]>();
  for (const run of runs) {
    const own = groups.get(run.agent);
    if (own === undefined) groups.set(run.agent, [run]);
    else own.push(run);
  }
  return groups;
}

/** Baselines decide what passes, so CI only reads them: a change of behaviour is accepted by a person, in a commit. */
export function refuseToWriteInCi(io: Io): void {
  if (!isCi(io)) return;
  throw new SpoorError("baseline.read-only-in-ci", "Baselines are not written in CI (the variable CI is set).", {
    consequence: "Nothing was written.",
    hint: "Run the command on your machine and commit the file it changes.",
  });
}
