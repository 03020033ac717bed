/** Runs the diff for the gate: the candidate's traces against the baseline's, with thresholds per trace where the configuration has them. */
import type { AxisName } from "@spoor/core/internal/diff/axes";
import { buildDiffReport } from "@spoor/core/internal/diff/build-diff-report";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { pairsToJudge } from "@spoor/core/internal/diff/pairs-to-judge";
import { createPolicyHook } from "@spoor/core/internal/diff/policy-hook";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/config-paths.ts";
import { requireKnownJudge } from "../config/known-run.ts";
import { createHttpJudge } from "../evals/evaluators/http-judge.ts";
import { judgeSettings } from "../evals/evaluators/judge-options.ts";
import { judgeTurns } from "../evals/judge-turns.ts";
import { judgeInEnvironment } from "../evals/redact.ts";
import { loadPricing } from "../load/load-pricing.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";
import { pageTimelines } from "./page-timelines.ts";
import { failOnFor } from "./threshold.ts";

/** A baseline that was recorded another day, mostly on another machine, says nothing about how fast the agent is. */
const timesElsewhere = ({ run }: Config): readonly AxisName[] => (run === undefined ? [] : ["latency"]);

export async function runDiffLens(input: GateInput, policy: Policy | undefined): Promise<DiffReport> {
  const { config, baseline, candidate, env } = input;
  const settings = config.diff!;
  requireKnownJudge(input.loaded);
  const judged =
    settings.judge === undefined
      ? undefined
      : await judgeTurns(
          judgeInEnvironment(createHttpJudge(judgeSettings(settings.judge, env)), env),
          pairsToJudge(baseline, candidate, settings.pairing),
        );
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
    ...(settings.pricing === undefined
      ? {}
      : { prices: loadPricing(resolveConfigPath(input.loaded, settings.pricing, input.cwd), input.cwd) }),
    ...(judged === undefined ? {} : { judged }),
    ...(policy === undefined ? {} : { policy: createPolicyHook(policy, { today: input.today }) }),
  });
}
