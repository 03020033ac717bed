/** The questions a diff asks: did the turns change, did an average move, is a rule newly broken. */
import { hasNoData } from "@spoor/core/internal/diff/axis-row";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { mayTrip } from "@spoor/core/internal/diff/direction";
import { type Severity, worse } from "@spoor/core/internal/judgement/severity";
import type { Check } from "../../document/check.ts";
import type { Mark } from "../../document/document.ts";
import { name } from "../../document/text.ts";
import { integer } from "../../document/words.ts";
import { amountWithUnit, noDataReason } from "./axis-words.ts";
import { newToolsSentence } from "./new-tools.ts";

export function checksOfDiff(report: DiffReport): Check[] {
  const blocks = new Set(report.gate.reasons.map((reason) => reason.subject));
  return [
    structureCheck(report, blocks),
    toolsCheck(report, blocks),
    ...axisChecks(report, blocks),
    ...ruleChecks(report, blocks),
  ];
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

function toolsCheck({ newTools }: DiffReport, blocks: ReadonlySet<string>): Check {
  const severity = newTools.reduce<Severity>((worst, one) => worse(worst, one.severity), "none");
  return {
    suite: "diff",
    name: "tools",
    mark: markOf(
      severity,
      newTools.some(({ tool }) => blocks.has(tool)),
    ),
    message: newToolsSentence(newTools),
    places: newTools.flatMap(({ tool, places }) =>
      places.map(({ name: trace, key, path, turnIndex }) => ({ trace, key, path, turnIndex, detail: [name(tool)] })),
    ),
  };
}

/** What was not measured asks nothing; the coverage says so. */
function axisChecks({ rows }: DiffReport, blocks: ReadonlySet<string>): Check[] {
  return rows.map((row): Check => {
    const base = { suite: "diff", name: row.axis, places: [] };
    if (hasNoData(row)) return { ...base, mark: "passed", message: [noDataReason(row)] };
    const severity = mayTrip(row.direction) ? row.gateSeverity : "none";
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
