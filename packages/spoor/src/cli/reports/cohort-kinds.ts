/** The three reports of `spoor cohort`: a comparison, a plan, a watch over arriving runs. */
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import type { CohortPlanReport } from "@spoor/core/internal/cohort/plan-cohort";
import type { SequentialReport } from "@spoor/core/internal/cohort/sequential-cohort";
import { checksOfCohort, describeCohort } from "../../describe/cohort/describe-cohort.ts";
import { describePlan } from "../../describe/cohort/plan.ts";
import { powerPlots } from "../../describe/cohort/plan-plot.ts";
import { cohortPlots } from "../../describe/cohort/plots.ts";
import { checksOfSequential, describeSequential } from "../../describe/cohort/sequential.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const cohortKind = defineReport<CohortReport>({
  schema: "spoor.cohort/1",
  exitCode({ gate, reasons }) {
    if (reasons.some(({ code }) => code === "no_common_scenario")) return exitCode.couldNotRun;
    return gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  describe: describeCohort,
  checks: checksOfCohort,
  plots: cohortPlots,
  regate: {
    option: "require",
    choices: ["unchanged"],
    apply: (report) => ({ ...report, gate: gateCohort(report, "unchanged") }),
  },
});

export const cohortPlanKind = defineReport<CohortPlanReport>({
  schema: "spoor.cohort-plan/1",
  exitCode: () => exitCode.ok,
  describe: describePlan,
  // A plan judges nothing.
  checks: () => [],
  plots: powerPlots,
});

export const cohortSequentialKind = defineReport<SequentialReport>({
  schema: "spoor.cohort-sequential/1",
  exitCode({ gate, pairs, verdict, carried }) {
    // Runs that were counted before have been compared; without any, and without a new pair, nothing has.
    const isEmpty = pairs === (carried?.pairs ?? 0) && (carried?.countedBefore.candidate ?? 0) === 0;
    if (isEmpty && verdict !== "changed") return exitCode.couldNotRun;
    return gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  describe: describeSequential,
  checks: checksOfSequential,
});
