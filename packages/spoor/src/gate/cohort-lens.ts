/** Runs the cohort lens for the gate: used when a side has repeated runs of a scenario, or at least six scenarios. */
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { compareTraceCohorts, isCohort } from "@spoor/core/internal/cohort/compare-trace-cohorts";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import { recordedWorldOf } from "@spoor/core/internal/cohort/recorded-world";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { Config } from "../config/config.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";

/** Undefined when the configuration or the runs do not ask for it. */
export function runCohortLens(input: GateInput): CohortReport | undefined {
  const settings = cohortSettings(input.config);
  if (settings.use === "never" || input.config.diff === undefined) return undefined;
  if (settings.use === "auto" && !isCohort(input.baseline, input.candidate)) return undefined;
  const result = compareTraceCohorts(input.baseline, input.candidate, {
    ...(input.config.seed === undefined ? {} : { seed: input.config.seed }),
    ...(settings.relabellings === undefined ? {} : { draws: settings.relabellings }),
  });
  return {
    schema: "spoor.cohort/1",
    tool: toolInfo,
    inputs: [],
    ...result,
    ...recordedWorldOf(coverageOf(input.baseline), coverageOf(input.candidate)),
    coverage: coverageOf([...input.baseline, ...input.candidate]),
    gate: gateCohort(result, settings.notEnoughEvidence === "block" ? "unchanged" : undefined),
  };
}

export function cohortSettings({ cohort }: Config): NonNullable<Config["cohort"]> {
  return cohort ?? { use: "auto", notEnoughEvidence: "warn" };
}
