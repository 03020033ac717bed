/** `spoor cohort plan BASELINE`: what the recorded repeats would find. */
import { type CohortPlanReport, planCohort as plan } from "@spoor/core/cohort/plan-cohort";
import type { CohortRun } from "@spoor/core/cohort/run";
import { loadSide } from "../../load/load-cohort.ts";
import { type CohortArgs, cohortLoadOptions } from "../cohort-args.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { cohortPlanKind } from "../reports/cohort-kinds.ts";
import { toolInfo } from "../version.ts";

export async function planCohort(path: string, args: CohortArgs, io: Io): Promise<ExitCode> {
  const runs: CohortRun[] = [];
  const { input, coverage } = await loadSide(path, "baseline", cohortLoadOptions(args, io), (run) => runs.push(run));
  const showProgress = io.stderrIsTerminal && !args.quiet && !io.env["CI"];
  const report: CohortPlanReport = {
    schema: "spoor.cohort-plan/1",
    tool: toolInfo,
    inputs: [input],
    ...plan(runs, {
      alpha: args.alpha,
      seed: args.seed,
      rounds: args.rounds,
      ...(showProgress
        ? { onProgress: (done, total) => io.err(done === total ? "\r\u001b[K" : `\rsimulating ${done} of ${total}`) }
        : {}),
    }),
    coverage,
    gate: { failOn: "none", tripped: false, reasons: [] },
  };
  const exitCode = cohortPlanKind.exitCode(report);
  await emitReport(report, await cohortPlanKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
  return exitCode;
}
