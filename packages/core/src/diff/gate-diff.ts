import { reaches, type Severity, severities, worse } from "../judgement/severity.ts";
import type { Gate, GateReason } from "../report/report.ts";
import { knownWord } from "../text/known-word.ts";
import type { DiffResult } from "./diff-report.ts";
import { mayTrip } from "./direction.ts";

/** What may trip the gate of a diff. */
export const gateSources = ["axes", "policy", "structure", "tools"] as const;
export type GateSource = (typeof gateSources)[number];

/**
 * Trips when an axis, the structure, a tool never seen before or a new policy violation reaches `failOn`. What changed for the better
 * never trips; what was not measured never trips.
 */
export function gateDiff(result: DiffResult, failOn: Severity, gateOn: readonly GateSource[] = gateSources): Gate {
  knownWord(failOn, severities, "failOn");
  for (const source of gateOn) knownWord(source, gateSources, "gateOn");
  const reasons: GateReason[] = [];
  const { structure } = result;
  if (gateOn.includes("structure") && reaches(structure.severity, failOn)) {
    reasons.push({ code: "structure", subject: "structure", severity: structure.severity });
  }
  if (gateOn.includes("tools")) {
    for (const { tool, severity } of result.newTools) {
      if (reaches(severity, failOn)) reasons.push({ code: "new_tool", subject: tool, severity });
    }
  }
  if (gateOn.includes("axes")) {
    for (const row of result.rows) {
      if (!mayTrip(row.direction) || !reaches(row.gateSeverity, failOn)) continue;
      reasons.push({ code: "axis", subject: row.axis, severity: row.gateSeverity });
    }
  }
  if (gateOn.includes("policy")) reasons.push(...policyReasons(result, failOn));
  return { failOn, tripped: reasons.length > 0, reasons };
}

/** One reason per rule, with its worst new violation. */
function policyReasons(result: DiffResult, failOn: Severity): GateReason[] {
  const worst = new Map<string, Severity>();
  for (const { ruleId, severity, effect } of result.policy?.regressions ?? []) {
    if (effect === "warn") continue;
    worst.set(ruleId, worse(worst.get(ruleId) ?? "none", severity));
  }
  return [...worst]
    .filter(([, severity]) => reaches(severity, failOn))
    .map(([subject, severity]) => ({ code: "policy_regression", subject, severity }));
}
