/** Runs the policy for the gate: every file on every candidate trace. */
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { type CheckReport, checkTraces } from "@spoor/core/internal/policy/check-report";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { ReportInput } from "@spoor/core/internal/report/report";
import type { Config } from "../config/config.ts";
import { policyPaths } from "../config/configured-policy.ts";
import { toolInfo } from "../tool-info.ts";
import { digestFile } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";

export function runPolicyLens(input: GateInput, policy: Policy): CheckReport {
  requireDiffForNew(input.config);
  return checkTraces(input.candidate, policy, {
    tool: toolInfo,
    inputs: policyInputs(input),
    failOn: input.config.policy!.failOn,
    today: input.today,
  });
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

function policyInputs(input: GateInput): ReportInput[] {
  return policyPaths(input.loaded, input.cwd).map((path) => {
    if (path.startsWith("spoor:")) return { role: "policy", path };
    return { role: "policy", path, contentId: digestFile(resolve(input.cwd, path)) };
  });
}
