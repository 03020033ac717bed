/** From findings to a verdict and an exit code: 0 passed, 1 blocked, 2 could not run. */
import type { Gate, GateReason } from "../report/report.ts";
import { type AgentComparison, isRealLoss } from "./comparison.ts";
import type { DriftOutcome } from "./drift-outcome.ts";

/**
 * What trips the gate. `tools`: no baseline, nothing to analyse, a tool never seen before, a tool or result field that was
 * always there and is gone, a path someone rejected. `new` adds every unknown path, `variant` everything but a match.
 */
export const baselineGates = ["none", "tools", "new", "variant"] as const;
export type BaselineGate = (typeof baselineGates)[number];

export interface GateOptions {
  readonly failOn: BaselineGate;
  /** False reports without blocking. */
  readonly blocking: boolean;
  /** What the rules about drift found; severe ones block. */
  readonly policy?: readonly DriftOutcome[];
}

export function gateComparisons(comparisons: readonly AgentComparison[], options: GateOptions): Gate {
  const reasons = options.failOn === "none" ? [] : comparisons.flatMap((one) => reasonsOf(one, options.failOn));
  for (const { ruleId, severity } of options.policy?.flatMap((outcome) => outcome.violations) ?? [])
    if (severity === "severe") reasons.push({ code: "policy_violation", subject: ruleId, severity });
  const distinct = [...new Map(reasons.map((reason) => [`${reason.code} ${reason.subject}`, reason])).values()];
  return { failOn: options.failOn, tripped: options.blocking && distinct.length > 0, reasons: distinct };
}

function reasonsOf(comparison: AgentComparison, failOn: BaselineGate): GateReason[] {
  const reasons: GateReason[] = [];
  if (comparison.runs.length === 0) reasons.push({ code: "nothing_analysed", subject: comparison.agent });
  if (comparison.counts.no_baseline > 0) reasons.push({ code: "no_baseline", subject: comparison.agent });
  for (const run of comparison.runs) {
    if (run.stepCount === 0) reasons.push({ code: "empty_run", subject: run.run });
    if (run.rejected) reasons.push({ code: "rejected_path", subject: run.hash });
  }
  for (const { tool } of comparison.newTools) reasons.push({ code: "new_tool", subject: tool });
  for (const lost of comparison.lostTools)
    if (isRealLoss(lost)) reasons.push({ code: "lost_tool", subject: lost.tool });
  for (const { tool, field } of comparison.lostFields)
    reasons.push({ code: "lost_field", subject: `${tool}.${field}` });
  for (const run of comparison.runs) {
    if (run.status === "new" && failOn !== "tools") reasons.push({ code: "unknown_path", subject: run.hash });
    if ((run.status === "variant" || run.status === "structural_match") && failOn === "variant") {
      reasons.push({ code: "variant", subject: run.hash });
    }
  }
  return reasons;
}

/** A flag beats the file; without a flag the file decides; without either it blocks. */
export function isBlocking(flag: boolean | undefined, file: boolean | undefined): boolean {
  return flag ?? file ?? true;
}
