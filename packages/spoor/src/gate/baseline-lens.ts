/** Runs the fingerprint lens for the gate: is each run a behaviour that the agent's baseline knows? */
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { baselineVerdict } from "@spoor/core/internal/fingerprint/baseline-verdict";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { summariseComparisons } from "@spoor/core/internal/fingerprint/summarise-comparisons";
import { gateComparisons } from "@spoor/core/internal/fingerprint/verdict";
import { baselineGateLevel } from "@spoor/core/internal/gate/judge-baseline";
import { createDriftCheck } from "@spoor/core/internal/policy/check-drift";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { Config } from "../config/config.ts";
import { limitsFromEnvironment } from "../load/limit-variables.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";

type Settings = NonNullable<Config["baseline"]>;

/** Undefined when the agent's baseline was not asked for. */
export function runBaselineLens(input: GateInput): BaselineReport | undefined {
  const settings = input.config.baseline;
  return settings === undefined || input.known === undefined ? undefined : compareWith(input.known, settings, input);
}

function compareWith(known: NonNullable<GateInput["known"]>, settings: Settings, input: GateInput): BaselineReport {
  const { baseline } = known;
  const options = { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {}, agent: baseline.agent };
  const facts = input.candidate.map((trace) => ({ ...runFacts(trace, options), agent: baseline.agent }));
  const rules = input.policy?.policy.rules.filter((rule) => rule.definition.needsBaseline) ?? [];
  const comparison = compareRuns(baseline, facts, {
    limits: limitsFromEnvironment(input.env),
    ...(rules.length === 0 ? {} : { rules: createDriftCheck({ rules }, { today: input.today }) }),
  });
  const gate = gateComparisons([comparison], {
    failOn: baselineGateLevel(settings),
    blocking: true,
    policy: comparison.policy === undefined ? [] : [comparison.policy],
  });
  return {
    schema: "spoor.baseline/1",
    tool: toolInfo,
    inputs: [known.input],
    action: "compare",
    verdict: baselineVerdict([comparison]),
    agents: [comparison],
    summary: summariseComparisons([comparison], gate),
    coverage: coverageOf(input.candidate),
    gate,
  };
}
