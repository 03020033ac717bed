/** A check as Markdown. Text from traces and rules stands in code spans, with what could break out of them made harmless. */
import type { CheckReport, RuleReport } from "@spoor/core/policy/check-report";
import { count } from "../../document/words.ts";
import { codeSpan, escapeHtml, plainMarkdown } from "../text/markdown.ts";
import {
  type CheckView,
  distinctViolations,
  lookedAt,
  notesOf,
  placeOf,
  totalsSentence,
  verdictSentence,
  whatHappened,
} from "./words.ts";

const MAX_PLACES = 10;

export function renderCheckMarkdown(report: CheckReport, view: CheckView): string {
  const broken = report.rules.some((rule) => rule.status === "failed");
  const lines = [`### ${broken ? "✗" : "✓"} ${plainMarkdown(verdictSentence(report, view))}`, ""];
  if (report.rules.length > 0) {
    lines.push("| rule | result | where |", "|---|---|---|");
    for (const rule of report.rules)
      lines.push(`| ${codeSpan(rule.id)} | ${resultOf(rule)} | ${whereOf(rule, report, view)} |`);
    lines.push("");
  }
  for (const rule of report.rules.filter((one) => one.status === "failed")) lines.push(...details(rule, report));
  lines.push(plainMarkdown(totalsSentence(report, view)), "");
  return lines.join("\n");
}

const NOUNS = { severe: "error", moderate: "warning", minor: "note" } as const;

function resultOf(rule: RuleReport): string {
  const amount = distinctViolations(rule).length;
  switch (rule.status) {
    case "failed":
      return `${rule.severity === "severe" ? "✗" : "!"} ${count(amount, NOUNS[rule.severity])}`;
    case "passed":
      return rule.reason === "excused" ? `! ${rule.excused.length} excused` : "✓ passed";
    case "not_evaluated":
      return rule.reason === "not_applicable" ? "? nothing to look at" : "? not evaluated";
  }
}

function whereOf(rule: RuleReport, report: CheckReport, view: CheckView): string {
  const [first] = distinctViolations(rule);
  if (first !== undefined) return codeSpan(placeOf(first, report));
  return plainMarkdown(rule.notEvaluated[0]?.why ?? lookedAt(rule, report, view));
}

function details(rule: RuleReport, report: CheckReport): string[] {
  const violations = distinctViolations(rule);
  const lines = [
    `<details><summary>${escapeHtml(rule.id)}: ${escapeHtml(rule.description || rule.explanation)}</summary>`,
    "",
  ];
  for (const violation of violations.slice(0, MAX_PLACES))
    lines.push(`- ${codeSpan(placeOf(violation, report))} ${codeSpan(whatHappened(violation))}`);
  if (violations.length > MAX_PLACES) lines.push(`- … ${violations.length - MAX_PLACES} more`);
  for (const note of notesOf(violations)) lines.push("", plainMarkdown(note));
  return [...lines, "", "</details>", ""];
}
