/** `spoor cohort plan BASELINE`: what the recorded repeats would find. */

import { type CohortPlanReport, planCohort } from "@spoor/core/internal/cohort/plan-cohort";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { loadSide } from "../../load/load-cohort.ts";
import { toolInfo } from "../../tool-info.ts";
import { cohortLoadOptions, cohortRunOptions } from "../cohort-args.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { option } from "../option.ts";
import { baselineRunsOf } from "../project.ts";
import { cohortPlanKind } from "../reports/cohort-kinds.ts";

export const cohortPlanCommand = defineCommand({
  description:
    "Simulates comparisons with the recorded repeats: how often a change of each size would be found, and what two runs of each " +
    "scenario would buy, compared with twice as many scenarios.",
  positionals: ["[baseline...]"],
  options: {
    ...cohortRunOptions,
    rounds: option.integer(32, "simulated comparisons per figure, at most", { min: 10, max: 10_000 }),
  },
  examples: [
    { run: "spoor cohort plan baseline", does: "What would be found with the repeats recorded so far." },
    { run: "spoor cohort plan baseline --rounds 400", does: "The same, with finer figures." },
  ],
  async run(args, io) {
    const runs: CohortRun[] = [];
    const load = cohortLoadOptions(args, io);
    const paths = await baselineRunsOf(args.baseline, "cohort plan", args, io);
    const { inputs, coverage } = await loadSide(paths, "baseline", load, (run) => runs.push(run));
    const showProgress = io.stderrIsTerminal && !args.quiet && !io.env["CI"];
    const report: CohortPlanReport = {
      schema: "spoor.cohort-plan/1",
      tool: toolInfo,
      inputs,
      ...planCohort(runs, {
        alpha: args.alpha,
        ...(args.seed === undefined ? {} : { seed: args.seed }),
        rounds: args.rounds,
        ...(showProgress
          ? { onProgress: (done, total) => io.err(done === total ? "\r\u001b[K" : `\rsimulating ${done} of ${total}`) }
          : {}),
      }),
      coverage,
      gate: { failOn: "none", tripped: false, reasons: [] },
    };
    const exitCode = cohortPlanKind.exitCode(report);
    await emitReport(report, cohortPlanKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});
