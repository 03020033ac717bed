import type { FindingSeverity } from "@spoor/core/internal/judgement/severity";
import type { TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import type { RunFinding } from "@spoor/core/internal/report/run-view";
import { stringMember } from "@spoor/core/internal/trace/json";
import type { Finding } from "../store/store.ts";

/** What rules found in a run, where it happened. */
export function findingsInPlace(findings: readonly Finding[]): TraceFindings {
  const turns = new Map<number, RunFinding[]>();
  const whole: RunFinding[] = [];
  for (const { ruleId, severity, turnIndex, evidence } of findings) {
    const list = turnIndex === undefined ? whole : (turns.get(turnIndex) ?? []);
    if (turnIndex !== undefined) turns.set(turnIndex, list);
    list.push({
      rule: ruleId,
      severity: severity as FindingSeverity,
      message: stringMember(evidence, "message") ?? "",
    });
  }
  return { turns, whole };
}
