/** Runs the fingerprint lens for the gate: is each run a behaviour that the agent's baseline knows? */
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { baselineVerdict } from "@spoor/core/internal/fingerprint/baseline-verdict";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { summariseComparisons } from "@spoor/core/internal/fingerprint/summarise-comparisons";
import { gateComparisons } from "@spoor/core/internal/fingerprint/verdict";
import { baselineGateLevel } from "@spoor/core/internal/gate/judge-baseline";
import { createDriftCheck } from "@spoor/core/internal/policy/check-drift";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/config-paths.ts";
import { limitsFromEnvironment } from "../load/limit-variables.ts";
import { createFileStore } from "../store/baseline-store.ts";
import { toolInfo, version } from "../tool-info.ts";
import { digestFile } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";

type Settings = NonNullable<Config["baseline"]>;

export async function runBaselineLens(input: GateInput, settings: Settings, policy?: Policy): Promise<BaselineReport> {
  const path = resolveConfigPath(input.loaded, settings.file, input.cwd);
  const baseline = await createFileStore(resolve(input.cwd, path), { toolVersion: version }).load(input.config.agent);
  if (baseline === undefined) {
    throw new SpoorError("baseline.missing", `The baseline ${path} does not exist.`, {
      at: { file: path },
      consequence: "Nothing was evaluated: without a baseline every run would look new.",
      hint: `Make one from runs that show the behaviour to keep: spoor baseline build TRACES --baseline ${path}`,
    });
  }
  const options = { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {}, agent: baseline.agent };
  const facts = input.candidate.map((trace) => ({ ...runFacts(trace, options), agent: baseline.agent }));
  const rules = policy?.rules.filter((rule) => rule.definition.needsBaseline) ?? [];
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
    inputs: [{ role: "baseline", path, contentId: digestFile(resolve(input.cwd, path)) }],
    action: "compare",
    verdict: baselineVerdict([comparison]),
    agents: [comparison],
    summary: summariseComparisons([comparison], gate),
    coverage: coverageOf(input.candidate),
    gate,
  };
}
