/** Runs the policy for the gate: every file on every candidate trace. */
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { type CheckReport, checkTraces } from "@spoor/core/internal/policy/check-report";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { ReportInput } from "@spoor/core/internal/report/report";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/load-config.ts";
import { loadPolicy } from "../load/load-policy.ts";
import { toolInfo } from "../tool-info.ts";
import { digestFile } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";

/** All policy files as one: ids stay unique because reports and exceptions refer to them. */
export function loadGatePolicy(input: GateInput): Policy | undefined {
  const files = input.config.policy?.files ?? [];
  const policies = files.map((file) => loadPolicy(policyPath(input, file), { cwd: input.cwd }));
  if (policies.length === 0) return undefined;
  return {
    ...policies[0]!,
    rules: policies.flatMap((policy) => policy.rules),
    warnings: policies.flatMap((policy) => policy.warnings),
  };
}

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

function policyPath(input: GateInput, file: string): string {
  return file.startsWith("spoor:") ? file : resolveConfigPath(input.loaded, file, input.cwd);
}

function policyInputs(input: GateInput): ReportInput[] {
  return (input.config.policy?.files ?? []).map((file) => {
    const path = policyPath(input, file);
    if (file.startsWith("spoor:")) return { role: "policy", path };
    return { role: "policy", path, contentId: digestFile(resolve(input.cwd, path)) };
  });
}
