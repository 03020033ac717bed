/** The score report as JUnit XML: one suite per trace, one case per evaluator; what was left out is marked as skipped. */
import { type EvaluatorResult, missesOf } from "@spoor/core/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/evaluators/score-report";
import { escapeXml } from "../../write/xml.ts";
import { evaluatorSummary } from "./words.ts";

export function renderScoreJunit(report: ScoreReport): string {
  const evaluators = report.results.flatMap((result) => result.evaluators);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="spoor score" ${countsOf(evaluators)}>`,
    ...report.results.map(renderSuite),
    "</testsuites>",
    "",
  ].join("\n");
}

function countsOf(evaluators: readonly EvaluatorResult[]): string {
  const failures = evaluators.filter((evaluator) => isFailure(evaluator) && evaluator.error === undefined).length;
  const errors = evaluators.filter((evaluator) => evaluator.error !== undefined).length;
  const skipped = evaluators.filter((evaluator) => evaluator.verdict === "skip").length;
  return `tests="${evaluators.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}

function renderSuite(result: TraceScore): string {
  const name =
    result.caseId === undefined || result.ofCase === true ? result.trace : `${result.trace} ${result.caseId}`;
  const file = result.path === undefined ? "" : ` file="${escapeXml(result.path)}"`;
  return [
    `  <testsuite name="${escapeXml(name)}"${file} ${countsOf(result.evaluators)}>`,
    ...result.evaluators.map((evaluator) => renderCase(evaluator, name)),
    "  </testsuite>",
  ].join("\n");
}

function renderCase(evaluator: EvaluatorResult, suite: string): string {
  const open = `    <testcase name="${escapeXml(evaluator.name)}" classname="${escapeXml(suite)}"`;
  const message = escapeXml(
    `${evaluator.score.toFixed(2)}, needed ${evaluator.passLine.toFixed(2)}: ${evaluatorSummary(evaluator)}`,
  );
  if (evaluator.verdict === "skip")
    return `${open}><skipped message="${escapeXml(evaluatorSummary(evaluator))}"/></testcase>`;
  if (evaluator.error !== undefined)
    return `${open}><error type="${escapeXml(evaluator.error.code)}" message="${escapeXml(evaluator.error.message)}"/></testcase>`;
  if (!isFailure(evaluator)) return `${open}/>`;
  return `${open}><failure message="${message}">${escapeXml(missesOf(evaluator).join("\n"))}</failure></testcase>`;
}

function isFailure({ verdict }: EvaluatorResult): boolean {
  return verdict !== "pass" && verdict !== "skip";
}
