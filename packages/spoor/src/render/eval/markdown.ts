/** The same report for a pull request: text from cases and traces stands in code spans. */
import type { EvalReport } from "@spoor/core/evals/eval-report";
import { printable } from "../text/printable.ts";
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
      code(caseName(report, entry)),
      entry.runs.length === 0 ? "-" : share(entry),
      ...(compares ? [stored] : []),
      `${SYMBOLS[mark]} ${escaped(words)}`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head = ["case", "now", ...(compares ? [escaped(report.against!.label)] : []), "reading"];
  const notes = [rateSentence(report), powerSentence(report), ...silenceSentences(report)]
    .filter((note) => note !== undefined)
    .map(escaped);
  const reasons = reasonSentences(report).map((reason) => `- ${code(reason)}`);
  const next = nextCommand(report);
  return [
    `### ${SYMBOLS[outcome]} ${escaped(text)}`,
    "",
    `| ${head.join(" | ")} |`,
    `|${"---|".repeat(head.length)}`,
    ...rows,
    "",
    ...(reasons.length === 0 ? [] : [...reasons, ""]),
    ...(notes.length === 0 ? [] : [notes.join(" "), ""]),
    escaped(totalsSentence(report)),
    ...(report.resultsFile === undefined ? [] : ["", `Results: ${code(report.resultsFile)}`]),
    ...(next === undefined ? [] : ["", `Next: ${code(next)}`]),
    "",
  ].join("\n");
}

/** A code span that nothing in the text can end; a table cell may not hold a bare pipe. */
function code(text: string): string {
  const safe = printable(text).replaceAll("`", "ˋ").replaceAll("|", "\\|");
  return `\`${safe}\``;
}

function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>#|@]/g, (char) =>
    char === "@" ? "@\u200b" : char === "<" ? "&lt;" : `\\${char}`,
  );
}
