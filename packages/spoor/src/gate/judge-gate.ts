/**
 * Runs the lenses that the configuration asks for over what was read, and gives the one verdict over their reports. It reads nothing itself, so
 * that a service judges a release exactly as the command line judges a folder.
 */
import type { Trace } from "@spoor/core";
import { buildGateReport, type GateSettings } from "@spoor/core/internal/gate/build-gate-report";
import type { GateReport, LensReports, SideName } from "@spoor/core/internal/gate/gate-report";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { Coverage, ReportInput } from "@spoor/core/internal/report/report";
import { DEFAULT_SEED } from "@spoor/core/internal/stats/random";
import { present } from "@spoor/core/internal/trace/present";
import { toolInfo } from "../tool-info.ts";
import { runBaselineLens } from "./baseline-lens.ts";
import { cohortSettings, runCohortLens } from "./cohort-lens.ts";
import { runDiffLens } from "./diff-lens.ts";
import type { GateInput } from "./gate-input.ts";
import { runPolicyLens } from "./policy-lens.ts";
import { mergeScores, scoreScenarios } from "./scenario-expectations.ts";
import { failOnFor } from "./threshold.ts";
import { runTrajectoryLens } from "./trajectory-lens.ts";

/** What the report says beside the verdict: where the two sides come from, and what went in. */
export interface GateContext {
  readonly sides?: { readonly baseline?: SideName; readonly candidate?: SideName };
  /** The configuration and the runs; what the lenses read is added. */
  readonly inputs: readonly ReportInput[];
  /** Adds what was left out before anything was read. */
  readonly coverage?: (read: Coverage) => Coverage;
}

export async function judgeGate(input: GateInput, context: GateContext): Promise<GateReport> {
  const { candidate, baseline } = input;
  const reports = await runLenses(input);
  const read = coverageOf([...baseline, ...candidate]);
  return buildGateReport(reports, settingsOf(input, context.sides), {
    tool: toolInfo,
    inputs: [...context.inputs, ...inputsOfLenses(reports)],
    coverage: context.coverage?.(read) ?? read,
    paths: new Map(candidate.flatMap(pathOf)),
  });
}

function pathOf({ key, source: { path } }: Trace): [string, string][] {
  return path === undefined ? [] : [[key, path]];
}

async function runLenses(input: GateInput): Promise<LensReports> {
  return present({
    policy: runPolicyLens(input),
    diff: await runDiffLens(input),
    ...cohortOrStop(input),
    baseline: runBaselineLens(input),
    trajectory: mergeScores([await runTrajectoryLens(input), await scoreScenarios(input)]),
  });
}

/** The test for a fixed number of runs is read when that number was made, and only then. */
function cohortOrStop(input: GateInput): Pick<LensReports, "cohort" | "earlyStop"> {
  if (input.earlyStop !== undefined) return { earlyStop: input.earlyStop };
  const cohort = runCohortLens(input);
  return cohort === undefined ? {} : { cohort };
}

/** The configuration as the verdict reads it: thresholds per trace are looked up by key. */
function settingsOf({ config, candidate }: GateInput, sides: GateContext["sides"]): GateSettings {
  const byKey = new Map(candidate.map((trace) => [trace.key, trace]));
  return {
    agent: config.agent,
    noun: config.noun,
    mode: config.mode,
    seed: config.seed ?? DEFAULT_SEED,
    ...(sides === undefined ? {} : { sides }),
    policy: {
      failOn: (key) => failOnFor(config, "policy", byKey.get(key)!),
      violations: config.policy?.violations ?? "all",
    },
    baseline: config.baseline ?? { unknownPath: "block", variant: "warn" },
    cohort: cohortSettings(config),
  };
}

/** Policies, baseline and evaluators; the traces are named already. */
function inputsOfLenses({ policy, baseline, trajectory }: LensReports): ReportInput[] {
  const evaluators = (trajectory?.inputs ?? []).filter(({ role }) => role === "evaluators");
  return [...(policy?.inputs ?? []), ...(baseline?.inputs ?? []), ...evaluators];
}
