/**
 * `spoor cohort`: two sets of runs, one of three words. Compares what was recorded, or watches runs arrive and stops as
 * soon as the evidence suffices; `spoor cohort plan` says what to record.
 */

import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { createCohort } from "@spoor/core/internal/cohort/compare-cohorts";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { sumCoverage } from "@spoor/core/internal/report/coverage";
import { loadSide } from "../../load/load-cohort.ts";
import { findSide, separateSides, withTakenOut } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { type CohortArgs, cohortLoadOptions, cohortOptions, parseAspects } from "../cohort-args.ts";
import { command, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";
import { cohortKind } from "../reports/cohort-kinds.ts";

export const cohortCommand = defineCommand({
  description:
    "Compares two sets of runs over the same scenarios and answers changed, unchanged or not_enough_evidence, " +
    "calibrated on the agent's own run-to-run noise. A folder that is itself called plan is written ./plan.",
  positionals: ["sides..."],
  options: cohortOptions,
  examples: [
    { run: "spoor cohort baseline candidate", does: "Every run of two folders, paired by scenario." },
    {
      run: "spoor cohort 'main.trial*.json' 'branch.trial*.json' --require unchanged",
      does: "Also fail without proof.",
    },
    { run: "spoor cohort baseline candidate -o report.html -o signals.svg", does: "The same report with plots." },
    { run: "spoor cohort baseline incoming --sequential", does: "Stop recording as soon as a change is certain." },
  ],
  subcommands: [
    command(
      "plan",
      "Say what the runs recorded so far would find, and how many are needed",
      async () => (await import("./cohort-plan.ts")).cohortPlanCommand,
    ),
  ],
  async run(args, io) {
    if (args.sides.length !== 2) {
      throw usageError(
        `spoor cohort needs two sets of runs, found ${args.sides.length}.`,
        "spoor cohort BASELINE CANDIDATE; put globs in quotes so that the shell does not spread them.",
      );
    }
    if (args.sequential)
      return (await import("./cohort-sequential.ts")).watchCohort(args.sides[0]!, args.sides[1]!, args, io);
    return compare(args.sides[0]!, args.sides[1]!, args, io);
  },
});

async function compare(baselinePath: string, candidatePath: string, args: CohortArgs, io: Io): Promise<ExitCode> {
  const chosen = parseAspects(args.aspects);
  const cohort = createCohort();
  const add = (run: CohortRun) => cohort.add(run);
  const load = cohortLoadOptions(args, io);
  const sides = separateSides([findSide([baselinePath]), findSide([candidatePath])]);
  const baseline = await loadSide(baselinePath, "baseline", load, add, sides.files[0]);
  const candidate = await loadSide(candidatePath, "candidate", load, add, sides.files[1]);

  const result = cohort.compare({
    alpha: args.alpha,
    seed: args.seed,
    toleranceRate: args.toleranceRate,
    toleranceSize: args.toleranceSize,
    ...(chosen === undefined ? {} : { aspects: chosen }),
  });
  const report: CohortReport = {
    schema: "spoor.cohort/1",
    tool: toolInfo,
    inputs: [baseline.input, candidate.input],
    ...result,
    coverage: withTakenOut(sumCoverage([baseline.coverage, candidate.coverage]), sides.takenOut),
    gate: gateCohort(result, args.require),
  };
  const exitCode = cohortKind.exitCode(report);
  await emitReport(report, cohortKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
  return exitCode;
}
