/**
 * The pull request comment: verdict in one line, consequence in words, one row per lens, details folded. A hidden marker
 * lets the next run edit it in place. Planned for 60,000 characters, never above 65,536; what is cut is said.
 */
import type { CheckStatus, GateCheck, GateReport } from "@spoor/core/gate/gate-report";
import { count } from "../../document/words.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { signalTable } from "../diff/markdown.ts";
import { goingInSentence } from "../diff/sentences.ts";
import { sideBySide } from "../diff/side-by-side.ts";
import { codeBlock, codeSpan, fold, plainMarkdown } from "../text/markdown.ts";
import { placeText } from "./junit.ts";
import { beginsText, gateSentence, lensTitle, statusWord } from "./words.ts";

const PLANNED = 60_000;
const SIDE_BY_SIDE_ROWS = 20;
const FINDINGS_PER_RULE = 10;

export interface CommentOptions {
  /** Address of the full report. */
  readonly link?: string;
}

export function renderGateMarkdown(report: GateReport, options: CommentOptions = {}): string {
  const [headline, ...more] = gateSentence(report, codeSpan).split(/(?<=\.) (?=[A-Z])/);
  const fixed = [`<!-- spoor:gate:${report.agent.replace(/[^\w.-]/g, "_")} -->`, heading(report, headline!)];
  const consequence = [more.join(" "), goingIn(report)].filter((part) => part !== "").join(" ");
  if (consequence !== "") fixed.push(consequence);
  if (report.status !== "passed") fixed.push(lensTable(report), advice(report));
  const footer = footerLine(report, options);
  const { kept, cut } = keepWhole(details(report), PLANNED - [...fixed, footer].join("\n\n").length - 200);
  const note =
    cut.length === 0 ? [] : [`<sub>Cut for length: ${cut.join(", ")}. The full report has everything.</sub>`];
  return `${[...fixed.slice(0, 1), ...fixed.slice(1), ...kept, ...note, footer]
    .filter((part) => part !== "")
    .join("\n\n")
    .replace("\n\n", "\n")}\n`;
}

const SYMBOL: Readonly<Record<CheckStatus, string>> = { passed: "✓", warned: "!", failed: "✗", not_evaluated: "?" };

function heading(report: GateReport, headline: string): string {
  const status: CheckStatus = report.status === "blocked" ? "failed" : report.status;
  const word = statusWord(report);
  return `### ${SYMBOL[status]} ${word === "" ? "" : `${word}: `}${headline.replace(/\.$/, "")}`;
}

function goingIn(report: GateReport): string {
  const diff = report.reports.diff;
  return diff === undefined || diff.goingIn.compared === 0
    ? ""
    : `Going in: ${goingInSentence(diff.goingIn, codeSpan)}`;
}

function lensTable(report: GateReport): string {
  const rows = report.lenses.map(
    (result) =>
      `| ${lensTitle[result.lens]} | ${SYMBOL[result.status]} ${plainMarkdown(result.summary)} | ${beginsText(result, codeSpan)} |`,
  );
  return ["| lens | result | begins at |", "|---|---|---|", ...rows].join("\n");
}

function advice(report: GateReport): string {
  if (report.gate.reasons.length === 0) return "";
  const review = report.reports.baseline === undefined ? "" : " `npx spoor baseline review`, then";
  return `Not intended: undo the change and push. Intended:${review} change the rule or the baseline in the same pull request.`;
}

interface Detail {
  readonly name: string;
  readonly text: string;
}

/** In the order in which they are given up, last first: the side-by-side is worth more than the signals. */
function details(report: GateReport): Detail[] {
  const parts: Detail[] = [];
  const diff = report.reports.diff;
  const first =
    diff === undefined || diff.firstDivergence === null ? undefined : diff.traces[diff.firstDivergence.traceIndex];
  if (first?.timeline !== undefined) {
    const lines = sideBySide(
      { ...first.timeline, rows: first.timeline.rows.slice(0, SIDE_BY_SIDE_ROWS) },
      createTerminalStyle({ columns: 96 }),
    );
    parts.push({
      name: "the side-by-side",
      text: fold(`First divergence, side by side: ${first.name}`, codeBlock(lines)),
    });
  }
  const findings = report.checks.filter((check) => check.lens === "policy" && check.status !== "passed");
  if (findings.length > 0)
    parts.push({
      name: "the findings",
      text: fold(`Rules: ${count(findings.length, "finding")}`, findings.map(findingText).join("\n")),
    });
  const notEvaluated = report.coverage.notEvaluated;
  if (notEvaluated.length > 0) {
    const body = notEvaluated.map(({ what, why }) => `- ${plainMarkdown(what)}: ${plainMarkdown(why)}`).join("\n");
    parts.push({
      name: "what was not evaluated",
      text: fold(`Not evaluated: ${notEvaluated.length} (${notEvaluated.map(({ what }) => what).join(", ")})`, body),
    });
  }
  if (diff !== undefined && diff.verdict.code !== "not_enough") {
    parts.push({ name: "the signals", text: fold("All signals with their intervals", signalTable(diff)) });
  }
  return parts;
}

function findingText(check: GateCheck): string {
  const shown = check.places
    .slice(0, FINDINGS_PER_RULE)
    .map((place) => `  - ${plainMarkdown(cutText(placeText(place)))}`);
  const rest = check.places.length - shown.length;
  if (rest > 0) shown.push(`  - and ${rest} more`);
  return [`- ${SYMBOL[check.status]} ${codeSpan(check.name)}: ${plainMarkdown(cutText(check.message))}`, ...shown].join(
    "\n",
  );
}

function cutText(text: string): string {
  return text.length <= 240 ? text : `${text.slice(0, 239)}…`;
}

/** Keeps whole details while they fit; a detail that does not fit is left out and named. */
function keepWhole(parts: readonly Detail[], room: number): { kept: string[]; cut: string[] } {
  const kept: string[] = [];
  const cut: string[] = [];
  let left = room;
  for (const part of parts) {
    if (part.text.length + 2 <= left) {
      kept.push(part.text);
      left -= part.text.length + 2;
    } else cut.push(part.name);
  }
  return { kept, cut };
}

function footerLine(report: GateReport, { link }: CommentOptions): string {
  const { baseline, candidate } = report.sides ?? {};
  const sides =
    baseline?.commit !== undefined && candidate?.commit !== undefined
      ? `${codeSpan(candidate.commit.slice(0, 7))} against ${codeSpan(baseline.commit.slice(0, 7))}`
      : "";
  const parts = [
    link === undefined
      ? ""
      : `[Full report](${encodeURI(link).replace(/[()]/g, (char) => (char === "(" ? "%28" : "%29"))})`,
    `${count(report.coverage.traces, "trace")}, ${count(report.coverage.turns, "turn")}, seed ${report.seed}`,
    sides,
    `spoor ${report.tool.version}`,
  ];
  return `<sub>${parts.filter((part) => part !== "").join(" · ")}</sub>`;
}
