/**
 * `spoor cohort`: two sets of runs, one of three words. Compares what was recorded, or watches runs arrive and stops as
 * soon as the evidence suffices; `spoor cohort plan` says what to record.
 */

import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { createCohort } from "@spoor/core/internal/cohort/compare-cohorts";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import { recordedWorldOf } from "@spoor/core/internal/cohort/recorded-world";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { sumCoverage } from "@spoor/core/internal/report/coverage";
import { requireOneContent } from "@spoor/core/internal/trace/comparable-content";
import { requireOneWorld } from "@spoor/core/internal/trace/one-world";
import { loadSide } from "../../load/load-cohort.ts";
import { findSide, separateSides, withTakenOut } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { type CohortArgs, cohortLoadOptions, cohortOptions, parseAspects } from "../cohort-args.ts";
import { command, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";
import { sidesOf } from "../project.ts";
import { cohortKind } from "../reports/cohort-kinds.ts";

export const cohortCommand = defineCommand({
  description:
    "Compares two sets of runs over the same scenarios and answers changed, unchanged or not_enough_evidence, " +
    "calibrated on the agent's own run-to-run noise. A folder that is itself called plan is written ./plan. " +
    "In a project with a configuration both sides, or the baseline alone, may be left out: they come from there.",
  positionals: ["[sides...]"],
  options: cohortOptions,
  examples: [
    { run: "spoor cohort baseline candidate", does: "Every run of two folders, paired by scenario." },
    {
      run: "spoor cohort 'main.trial*.json' 'branch.trial*.json' --require unchanged",
      does: "Also fail without proof.",
    },
    { run: "spoor cohort baseline candidate -o report.html -o signals.svg", does: "The same report with plots." },
    { run: "spoor cohort baseline incoming --sequential", does: "Stop recording as soon as a change is certain." },
    {
      run: "spoor cohort baseline candidate --sequential --wait 0 --carry evidence.json",
      does: "Add this pull request's evidence to that of the ones before.",
    },
  ],
  subcommands: [
    command(
      "plan",
      "Say what the runs recorded so far would find, and how many are needed",
      async () => (await import("./cohort-plan.ts")).cohortPlanCommand,
    ),
  ],
  async run(args, io) {
    const { baseline, candidate } = await sidesOf(args.sides, "cohort", args, io);
    if (args.carry !== undefined && !args.sequential)
      throw usageError("--carry belongs to --sequential.", "spoor cohort BASELINE CANDIDATE --sequential --carry FILE");
    if (!args.sequential) return compare(baseline, candidate, args, io);
    if (baseline.length > 1 || candidate.length > 1)
      throw usageError("--sequential watches one path a side.", "spoor cohort BASELINE CANDIDATE --sequential");
    return (await import("./cohort-sequential.ts")).watchCohort(baseline[0]!, candidate[0]!, args, io);
  },
});

async function compare(
  known: readonly string[],
  judged: readonly string[],
  args: CohortArgs,
  io: Io,
): Promise<ExitCode> {
  const chosen = parseAspects(args.aspects);
  const cohort = createCohort();
  const add = (run: CohortRun) => cohort.add(run);
  const load = cohortLoadOptions(args, io);
  const sides = separateSides([findSide(known), findSide(judged)]);
  const baseline = await loadSide(known, "baseline", load, add, sides.files[0]);
  const candidate = await loadSide(judged, "candidate", load, add, sides.files[1]);

  requireOneContent(new Set([...baseline.contents, ...candidate.contents]));
  requireOneWorld(new Set([...baseline.worlds, ...candidate.worlds]));
  const result = cohort.compare({
    alpha: args.alpha,
    ...(args.seed === undefined ? {} : { seed: args.seed }),
    toleranceRate: args.toleranceRate,
    toleranceSize: args.toleranceSize,
    ...(chosen === undefined ? {} : { aspects: chosen }),
  });
  const report: CohortReport = {
    schema: "spoor.cohort/1",
    tool: toolInfo,
    inputs: [...baseline.inputs, ...candidate.inputs],
    ...result,
    ...recordedWorldOf(baseline.coverage, candidate.coverage),
    coverage: withTakenOut(sumCoverage([baseline.coverage, candidate.coverage]), sides.takenOut),
    gate: gateCohort(result, args.require),
  };
  const exitCode = cohortKind.exitCode(report);
  await emitReport(report, cohortKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
  return exitCode;
}
