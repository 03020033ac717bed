/** The score report as Markdown: one table of evaluators per trace, the misses below it. */
import { missText } from "@spoor/core/evaluators/describe-trajectory";
import { type EvaluatorResult, missesOf } from "@spoor/core/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/evaluators/score-report";
import { briefValue } from "../../document/brief-json.ts";
import { count } from "../../document/words.ts";
import { codeSpan, plainMarkdown } from "../text/markdown.ts";
import { evaluatorSummary } from "./words.ts";

const MAX_TRACES = 20;
const MAX_MISSES = 10;

export function renderScoreMarkdown(report: ScoreReport): string {
  const failed = report.results.filter((result) => result.verdict !== "pass");
  const heading =
    failed.length === 0
      ? `### ✓ ${count(report.results.length, "trace")} scored, all pass`
      : `### ✗ ${failed.length} of ${count(report.results.length, "trace")} below the pass line`;
  const shown = [...failed, ...report.results.filter((result) => result.verdict === "pass")].slice(0, MAX_TRACES);
  const sections = shown.map(traceSection);
  if (report.results.length > shown.length)
    sections.push(`… and ${count(report.results.length - shown.length, "more trace")}`);
  return `${[heading, ...sections].join("\n\n")}\n`;
}

function traceSection(result: TraceScore): string {
  const name =
    result.caseId === undefined || result.ofCase === true
      ? codeSpan(result.trace)
      : `${codeSpan(result.trace)} (case ${codeSpan(result.caseId)})`;
  const symbol = result.verdict === "pass" ? "✓" : "✗";
  const rows = result.evaluators.map(
    (evaluator) =>
      `| ${symbolOf(evaluator)} ${codeSpan(evaluator.name)} | ${evaluator.trajectory?.mode ?? evaluator.type} | ${scoreOf(evaluator)} | ${plainMarkdown(evaluatorSummary(evaluator))} |`,
  );
  const table = ["| evaluator | kind | score | result |", "|---|---|---|---|", ...rows].join("\n");
  const misses = result.evaluators.flatMap(missLines);
  const listed = misses.slice(0, MAX_MISSES);
  if (misses.length > MAX_MISSES) listed.push(`- … and ${misses.length - MAX_MISSES} more`);
  const head = `**${symbol} ${name}: ${result.score.toFixed(2)}**, pass line ${result.passLine.toFixed(2)}`;
  return [head, table, ...(listed.length === 0 ? [] : [listed.join("\n")])].join("\n\n");
}

function symbolOf({ verdict }: EvaluatorResult): string {
  if (verdict === "skip") return "?";
  return verdict === "pass" ? "✓" : "✗";
}

function scoreOf({ verdict, score }: EvaluatorResult): string {
  return verdict === "skip" ? "-" : score.toFixed(2);
}

function missLines(evaluator: EvaluatorResult): string[] {
  if (evaluator.verdict === "pass" || evaluator.verdict === "skip") return [];
  const steps = evaluator.trajectory?.steps.filter((step) => !step.passed) ?? [];
  if (steps.length === 0)
    return missesOf(evaluator).map((text) => `- ${codeSpan(evaluator.name)}: ${plainMarkdown(text)}`);
  return steps.map((step) => {
    const different = (step.closest?.comparisons ?? []).filter((entry) => entry.outcome !== "same");
    const paths = different.slice(0, 3).map((entry) => {
      const seen = entry.actual === undefined ? "not given" : codeSpan(briefValue(entry.actual));
      const wanted =
        entry.outcome === "unexpected" ? "nothing" : (entry.wanted ?? codeSpan(briefValue(entry.expected!)));
      return `${codeSpan(entry.path || "arguments")} is ${seen}, expected ${entry.wanted === undefined ? wanted : plainMarkdown(wanted)}`;
    });
    const detail =
      paths.length === 0
        ? ""
        : ` (closest call${step.closest!.turnIndex < 0 ? "" : ` in turn ${step.closest!.turnIndex + 1}`}: ${paths.join("; ")})`;
    return `- ${codeSpan(evaluator.name)} step ${step.step + 1}, ${codeSpan(step.tool)}: ${plainMarkdown(missText(step))}${detail}`;
  });
}
