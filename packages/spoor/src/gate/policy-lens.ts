/** Runs the policy for the gate: every file on every candidate trace. */
import { SpoorError } from "@spoor/core/internal/errors";
import { type CheckReport, checkTraces } from "@spoor/core/internal/policy/check-report";
import type { Config } from "../config/config.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";

/** Undefined when there is no policy, or one of nothing but rules about drift, which are the baseline lens's alone. */
export function runPolicyLens({ policy: loaded, config, candidate, today }: GateInput): CheckReport | undefined {
  if (loaded === undefined) return undefined;
  const { policy, inputs } = loaded;
  if (config.baseline !== undefined && policy.rules.every((rule) => rule.definition.needsBaseline)) return undefined;
  requireDiffForNew(config);
  return checkTraces(candidate, policy, { tool: toolInfo, inputs, failOn: config.policy!.failOn, today });
}

/** With `violations: new`, only what the diff calls a regression counts; without a diff there is nothing to compare with. */
function requireDiffForNew({ policy, diff }: Config): void {
  if (policy?.violations !== "new" || diff !== undefined) return;
  throw new SpoorError(
    "config.new-needs-diff",
    "policy.violations is new, but there is no diff to tell new from old.",
    {
      consequence: "Nothing was evaluated.",
      hint: "Add diff.baseline to the configuration, or use violations: all.",
    },
  );
}
