/** The same report for a pull request: text from cases and traces stands in code spans. */
import type { EvalReport } from "@spoor/core/evals/eval-report";
import { codeSpan, plainMarkdown } from "../text/markdown.ts";
import {
  caseName,
  nextCommand,
  type Outcome,
  powerSentence,
  rateSentence,
  reading,
  reasonSentences,
  share,
  shareOf,
  silenceSentences,
  totalsSentence,
  verdict,
} from "./sentences.ts";

const SYMBOLS: Readonly<Record<Outcome, string>> = { passed: "✓", failed: "✗", warning: "!", unknown: "?" };

export function renderEvalMarkdown(report: EvalReport): string {
  const { outcome, text } = verdict(report);
  const compares = report.against !== undefined;
  const rows = report.cases.map((entry) => {
    const { outcome: mark, text: words } = reading(entry);
    const stored = entry.reading.comparison === undefined ? "-" : shareOf(entry.reading.comparison.stored);
    const cells = [
      codeSpan(caseName(report, entry)),
      entry.runs.length === 0 ? "-" : share(entry),
      ...(compares ? [stored] : []),
      `${SYMBOLS[mark]} ${plainMarkdown(words)}`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head = ["case", "now", ...(compares ? [plainMarkdown(report.against!.label)] : []), "reading"];
  const notes = [rateSentence(report), powerSentence(report), ...silenceSentences(report)]
    .filter((note) => note !== undefined)
    .map(plainMarkdown);
  const reasons = reasonSentences(report).map((reason) => `- ${codeSpan(reason)}`);
  const next = nextCommand(report);
  return [
    `### ${SYMBOLS[outcome]} ${plainMarkdown(text)}`,
    "",
    `| ${head.join(" | ")} |`,
    `|${"---|".repeat(head.length)}`,
    ...rows,
    "",
    ...(reasons.length === 0 ? [] : [...reasons, ""]),
    ...(notes.length === 0 ? [] : [notes.join(" "), ""]),
    plainMarkdown(totalsSentence(report)),
    ...(report.resultsFile === undefined ? [] : ["", `Results: ${codeSpan(report.resultsFile)}`]),
    ...(next === undefined ? [] : ["", `Next: ${codeSpan(next)}`]),
    "",
  ].join("\n");
}
