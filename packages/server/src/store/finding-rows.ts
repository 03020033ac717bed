/** Findings as rows, wherever they are written. */
import { writeJson } from "./rows.ts";
import type { NewFinding } from "./run-shapes.ts";

export function findingRow(projectId: number, runId: number, finding: NewFinding) {
  return {
    project_id: projectId,
    run_id: runId,
    config_hash: finding.configHash,
    rule_id: finding.ruleId,
    kind: finding.kind,
    severity: finding.severity,
    code: finding.code,
    subject: finding.subject,
    turn_index: finding.turnIndex ?? -1,
    session_index: finding.sessionIndex ?? -1,
    evidence: writeJson(finding.evidence),
  };
}

/** Two findings of one rule with one subject at one place are one offence. */
export function distinctFindings(findings: readonly NewFinding[]): readonly NewFinding[] {
  const byKey = new Map(
    findings.map((finding) => [
      JSON.stringify([
        finding.configHash,
        finding.ruleId,
        finding.subject,
        finding.turnIndex ?? -1,
        finding.sessionIndex ?? -1,
      ]),
      finding,
    ]),
  );
  return [...byKey.values()];
}
