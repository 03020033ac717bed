/** The questions a diff asks: did the turns change, did an average move, is a rule newly broken. */
import { hasNoData } from "@spoor/core/internal/diff/axis-row";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { Severity } from "@spoor/core/internal/judgement/severity";
import type { Check } from "../../document/check.ts";
import type { Mark } from "../../document/document.ts";
import { integer } from "../../document/words.ts";
import { amountWithUnit, noDataReason } from "./axis-words.ts";

export function checksOfDiff(report: DiffReport): Check[] {
  const blocks = new Set(report.gate.reasons.map((reason) => reason.subject));
  return [structureCheck(report, blocks), ...axisChecks(report, blocks), ...ruleChecks(report, blocks)];
}

function structureCheck({ structure, traces, verdict }: DiffReport, blocks: ReadonlySet<string>): Check {
  const places = traces.flatMap(({ name: trace, candidate, changes }) =>
    changes.map(({ candidateTurn, baselineTurn }) => ({
      trace,
      key: candidate.key,
      path: candidate.path,
      turnIndex: candidateTurn ?? baselineTurn,
    })),
  );
  const mark: Mark = verdict.code === "not_enough" ? "unknown" : markOf(structure.severity, blocks.has("structure"));
  return {
    suite: "diff",
    name: "structure",
    mark,
    message: [`${integer(structure.changed)} of ${integer(structure.turns)} turns differ.`],
    places,
  };
}

/** What was not measured asks nothing; the coverage says so. */
function axisChecks({ rows }: DiffReport, blocks: ReadonlySet<string>): Check[] {
  return rows.map((row): Check => {
    const base = { suite: "diff", name: row.axis, places: [] };
    if (hasNoData(row)) return { ...base, mark: "passed", message: [noDataReason(row)] };
    const severity = row.direction === "better" ? "none" : row.gateSeverity;
    const amounts = `${amountWithUnit(row.axis, row.candidate)} instead of ${amountWithUnit(row.axis, row.baseline)}`;
    return { ...base, mark: markOf(severity, blocks.has(row.axis)), message: [`${severity}: ${amounts}.`] };
  });
}

function ruleChecks({ policy, traces }: DiffReport, blocks: ReadonlySet<string>): Check[] {
  const ids = [...new Set((policy?.regressions ?? []).map((finding) => finding.ruleId))];
  const broken = ids.map((id): Check => {
    const findings = policy!.regressions.filter((finding) => finding.ruleId === id);
    return {
      suite: "policy",
      name: id,
      mark: blocks.has(id) ? "failed" : "warning",
      message: [findings[0]!.message],
      places: findings.map((finding) => ({
        trace: finding.trace,
        key: finding.key,
        path: traces.find((pair) => pair.candidate.key === finding.key)?.candidate.path,
        turnIndex: finding.turnIndex ?? undefined,
        detail: [finding.message],
      })),
    };
  });
  const unknown = (policy?.notEvaluated ?? []).map(
    ({ ruleId, why }): Check => ({ suite: "policy", name: ruleId, mark: "unknown", message: [why], places: [] }),
  );
  return [...broken, ...unknown];
}

function markOf(severity: Severity, isBlocking: boolean): Mark {
  if (isBlocking) return "failed";
  return severity === "none" ? "passed" : "warning";
}
