/** Runs the diff for the gate: the candidate's traces against the baseline's, with thresholds per trace where the configuration has them. */
import type { AxisName } from "@spoor/core/internal/diff/axes";
import { buildDiffReport } from "@spoor/core/internal/diff/build-diff-report";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { pairsToJudge } from "@spoor/core/internal/diff/pairs-to-judge";
import { createPolicyHook } from "@spoor/core/internal/diff/policy-hook";
import type { Config } from "../config/config.ts";
import { judgeTurns } from "../evals/judge-turns.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";
import { pageTimelines } from "./page-timelines.ts";
import { failOnFor } from "./threshold.ts";

/** A baseline that was recorded another day, mostly on another machine, says nothing about how fast the agent is. */
const timesElsewhere = ({ run }: Config): readonly AxisName[] => (run === undefined ? [] : ["latency"]);

/** Undefined when nothing is to be compared. */
export async function runDiffLens(input: GateInput): Promise<DiffReport | undefined> {
  const { config, baseline, candidate, judge, prices } = input;
  const settings = config.diff;
  if (settings === undefined) return undefined;
  const judged =
    judge === undefined ? undefined : await judgeTurns(judge, pairsToJudge(baseline, candidate, settings.pairing));
  return buildDiffReport(baseline, candidate, {
    tool: toolInfo,
    inputs: [],
    failOn: settings.failOn,
    failOnFor: (trace) => failOnFor(config, "diff", trace),
    // New violations are left to the policy lens where there is one, so that nothing is counted twice.
    gateOn: settings.gateOn.filter((source) => source !== "policy" || config.policy === undefined),
    toldOnly: settings.toldOnly ?? timesElsewhere(config),
    pairing: settings.pairing,
    ...(config.seed === undefined ? {} : { seed: config.seed }),
    noun: config.noun,
    // The report is read in a browser.
    ...pageTimelines(candidate.length),
    ...(prices === undefined ? {} : { prices }),
    ...(judged === undefined ? {} : { judged }),
    ...(input.policy === undefined ? {} : { policy: createPolicyHook(input.policy.policy, { today: input.today }) }),
  });
}
