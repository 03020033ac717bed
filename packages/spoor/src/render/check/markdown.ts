/** A check as Markdown. Text from traces and rules stands in code spans, with what could break out of them made harmless. */
import type { CheckReport, RuleReport } from "@spoor/core/policy/check-report";
import { printable } from "../text/printable.ts";
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
  const broken = report.rules.some((rule) => rule.status === "violated");
  const lines = [`### ${broken ? "✗" : "✓"} ${plain(verdictSentence(report, view))}`, ""];
  if (report.rules.length > 0) {
    lines.push("| rule | result | where |", "|---|---|---|");
    for (const rule of report.rules)
      lines.push(`| ${code(rule.id)} | ${resultOf(rule)} | ${whereOf(rule, report, view)} |`);
    lines.push("");
  }
  for (const rule of report.rules.filter((one) => one.status === "violated")) lines.push(...details(rule, report));
  lines.push(plain(totalsSentence(report, view)), "");
  return lines.join("\n");
}

function resultOf(rule: RuleReport): string {
  const amount = distinctViolations(rule).length;
  switch (rule.status) {
    case "violated":
      return `${rule.severity === "warning" || rule.severity === "info" ? "!" : "✗"} ${amount} ${rule.severity}`;
    case "passed":
      return "✓ passed";
    case "excused":
      return `! ${rule.excused.length} excused`;
    case "notEvaluated":
      return "? not evaluated";
    case "notApplicable":
      return "? nothing to look at";
  }
}

function whereOf(rule: RuleReport, report: CheckReport, view: CheckView): string {
  const [first] = distinctViolations(rule);
  if (first !== undefined) return code(placeOf(first, report));
  return plain(rule.notEvaluated[0]?.why ?? lookedAt(rule, report, view));
}

function details(rule: RuleReport, report: CheckReport): string[] {
  const violations = distinctViolations(rule);
  const lines = [
    `<details><summary>${escapeHtml(rule.id)}: ${escapeHtml(rule.description || rule.explanation)}</summary>`,
    "",
  ];
  for (const violation of violations.slice(0, MAX_PLACES))
    lines.push(`- ${code(placeOf(violation, report))} ${code(whatHappened(violation))}`);
  if (violations.length > MAX_PLACES) lines.push(`- … ${violations.length - MAX_PLACES} more`);
  for (const note of notesOf(violations)) lines.push("", plain(note));
  return [...lines, "", "</details>", ""];
}

/** A code span that its content cannot close, on one line, safe inside a table. */
function code(text: string): string {
  const safe = printable(text).replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${safe}${pad}${fence}`;
}

/** Words with names in them: nothing in it is markup. */
function plain(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>#|@]/g, (char) =>
    char === "<" ? "&lt;" : char === "@" ? "@\u200b" : `\\${char}`,
  );
}

function escapeHtml(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "@\u200b");
}
