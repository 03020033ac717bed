/** A comparison on the terminal: the consequence, each run, how the first new path differs, signals, what to type next. */

import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { isKnown } from "@spoor/core/internal/fingerprint/classify";
import type { AgentComparison, RunComparison } from "@spoor/core/internal/fingerprint/comparison";
import { recordingWords } from "../../describe/recording-words.ts";
import { printable } from "../../document/printable.ts";
import { shellWord } from "../../document/shell-word.ts";
import { count, integer, list } from "../../document/words.ts";
import { columnsOf, cut, hang, padEnd, padStart, wrap } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { renderAlignment } from "./alignment.ts";
import {
  agentLine,
  comparableWords,
  notEvaluatedWords,
  percentWords,
  reasonWords,
  signalLines,
  similarityWords,
  statusWord,
  verdictSentence,
} from "./words.ts";

export interface BaselineView {
  /** What the user typed, for the next command. */
  readonly paths: readonly string[];
  readonly exitCode: number;
  readonly verbose: boolean;
}

/** Up to this many runs are listed one by one; beyond it, new paths are grouped and known ones counted. */
const MOST_ROWS = 12;
const MOST_SIGNALS = 6;
const LABEL = 12;

export function renderBaselineTerminal(report: BaselineReport, view: BaselineView, style: TerminalStyle): string {
  const { symbols, paint, columns } = style;
  const good = report.verdict.code === "known" && !report.gate.tripped;
  const mark = report.gate.tripped
    ? paint.bad(symbols.failed)
    : good
      ? paint.good(symbols.passed)
      : paint.warn(symbols.warning);
  const lines = [hang(`${mark} `, printable(verdictSentence(report.verdict, plain)), columns)];
  if (report.agents.length === 1) renderAgent(report.agents[0]!, good, view, style, lines);
  else renderFleet(report, view, style, lines);
  renderPolicy(report, style, lines);
  renderTail(report, view, style, lines);
  return `${lines.join("\n")}\n`;
}

const plain = (name: string) => name;

function renderAgent(
  comparison: AgentComparison,
  good: boolean,
  view: BaselineView,
  style: TerminalStyle,
  lines: string[],
): void {
  lines.push(...paragraph(agentLine(comparison, plain), style));
  const signals = signalLines(comparison, plain);
  if (good && !view.verbose && signals.length === 0) return;
  lines.push("", ...runTable(comparison.runs, style));
  const shown = leastSimilar(comparison.runs);
  if (shown !== undefined) lines.push("", ...firstDifference(shown, comparison, style));
  for (const signal of signals.slice(0, view.verbose ? signals.length : MOST_SIGNALS)) {
    const extent = comparison.runs.length === 1 ? "" : `, in ${signal.runs} of ${count(comparison.runs.length, "run")}`;
    lines.push(labelled("Signal", `${signal.severity}: ${signal.text}${extent}`, style));
  }
  if (!view.verbose && signals.length > MOST_SIGNALS) {
    lines.push(labelled("", `${signals.length - MOST_SIGNALS} more signals: --verbose`, style));
  }
  const scope = shown?.statisticsFrom;
  if (scope?.scope === "family") {
    lines.push(
      labelled(
        "Numbers",
        `of ${count(scope.runs, "run")} in the family of the closest behaviour, which alone was seen too rarely`,
        style,
      ),
    );
  }
  for (const why of notEvaluatedWords(comparison).slice(0, view.verbose ? 99 : 2))
    lines.push(labelled("No data", why, style));
  if (comparison.baseline !== null) lines.push(labelled("Comparable", comparableWords(comparison, plain), style));
}

function leastSimilar(runs: readonly RunComparison[]): RunComparison | undefined {
  let least: RunComparison | undefined;
  for (const run of runs) {
    if (isKnown(run.status) || run.closest === null) continue;
    if (least === undefined || run.closest.similarity.composite < least.closest!.similarity.composite) least = run;
  }
  return least;
}

/** Runs of one file or folder share the beginning of their names; in a table it would push the rest off the line. */
function shortNames(names: readonly string[]): string[] {
  const [first = ""] = names;
  if (names.length < 2) return names.map((name) => name.replace(/^[^:]+:/, ""));
  let shared = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, shared))) shared--;
  const cutAt = Math.max(first.lastIndexOf("/", shared - 1), first.lastIndexOf(":", shared - 1)) + 1;
  return names.map((name) => name.slice(cutAt));
}

/** Both ends of a name tell runs apart; the middle is what they share. */
function cutMiddle(text: string, columns: number, ellipsis: string): string {
  if (columnsOf(text) <= columns) return text;
  const chars = [...text];
  const room = columns - columnsOf(ellipsis);
  const head = Math.floor(room * 0.4);
  return `${chars.slice(0, head).join("")}${ellipsis}${chars.slice(chars.length - (room - head)).join("")}`;
}

function runTable(runs: readonly RunComparison[], style: TerminalStyle): string[] {
  const rows = runs.length <= MOST_ROWS ? runs.map((run) => ({ run, runs: 1 })) : grouped(runs);
  const shown = rows.slice(0, MOST_ROWS);
  const hashes = style.columns < 70 ? 0 : 13;
  const statuses = Math.max(6, ...shown.map(({ run }) => columnsOf(statusWord(run))));
  const names = shortNames(shown.map(({ run }) => printable(run.run))).map((name, index) =>
    shown[index]!.runs > 1 ? `${name} and ${shown[index]!.runs - 1} more` : name,
  );
  const nameWidth = Math.min(24, Math.max(5, ...names.map(columnsOf)));
  const behaviour = style.columns - 2 - nameWidth - 2 - statuses - 2 - 9 - hashes;
  const head = `  ${padEnd("trace", nameWidth)}  ${padEnd("status", statuses)}  ${padEnd(behaviour < 23 ? "closest known" : "closest known behaviour", behaviour)}  similar${hashes ? "  fingerprint" : ""}`;
  const lines = [style.paint.dim(head.trimEnd())];
  for (const [index, { run }] of shown.entries()) {
    const name = padEnd(cutMiddle(names[index]!, nameWidth, style.symbols.ellipsis), nameWidth);
    const word = statusWord(run);
    const painted = isKnown(run.status) ? word : style.paint.bold(word);
    const similar = run.closest === null ? "no data" : percentWords(run.closest.similarity.composite);
    const hash = hashes ? `  ${run.hash.slice(0, 8)}${style.symbols.ellipsis}` : "";
    lines.push(
      `  ${name}  ${painted}${" ".repeat(statuses - columnsOf(word))}  ${closestCell(run, behaviour, style)}  ${padStart(similar, 7)}${hash}`,
    );
  }
  const rest = rows.length - shown.length;
  if (rest > 0)
    lines.push(
      `  ${style.symbols.ellipsis} ${count(rest, "more path")} of ${count(
        rows.slice(MOST_ROWS).reduce((sum, row) => sum + row.runs, 0),
        "run",
      )}`,
    );
  const known = runs.length <= MOST_ROWS ? 0 : runs.filter((run) => isKnown(run.status)).length;
  if (known > 0) lines.push(`  ${count(known, "other run follows", "other runs follow")} a known path.`);
  return lines;
}

function closestCell(run: RunComparison, width: number, style: TerminalStyle): string {
  if (run.closest === null) return padEnd("none", width);
  const seen = `seen ${count(run.closest.runs, "time")}`;
  const room = Math.max(6, width - seen.length - 2);
  const name = padEnd(cut(printable(run.closest.name ?? run.closest.path), room, style.symbols.ellipsis), room);
  return padEnd(`${name}  ${seen}`, width);
}

/** New paths first, equal hashes together, the least similar on top. */
function grouped(runs: readonly RunComparison[]): { run: RunComparison; runs: number }[] {
  const groups = new Map<string, { run: RunComparison; runs: number }>();
  for (const run of runs) {
    if (isKnown(run.status)) continue;
    const known = groups.get(run.hash);
    if (known === undefined) groups.set(run.hash, { run, runs: 1 });
    else known.runs++;
  }
  const similarity = (run: RunComparison) => run.closest?.similarity.composite ?? 0;
  return [...groups.values()].sort(
    (left, right) => similarity(left.run) - similarity(right.run) || right.runs - left.runs,
  );
}

function firstDifference(run: RunComparison, comparison: AgentComparison, style: TerminalStyle): string[] {
  const closest = run.closest!;
  const lines: string[] = [];
  if (comparison.runs.length > 1) lines.push(...paragraph(`${run.run} against the closest known behaviour:`, style));
  if (closest.alignment === null) {
    lines.push(...paragraph(`Too long to lay side by side: ${integer(run.stepCount)} steps.`, style));
  } else {
    const known = cut(printable(closest.name ?? "known"), 16, style.symbols.ellipsis);
    lines.push(...renderAlignment(closest.alignment, { known, now: "now" }, style));
  }
  lines.push(...paragraph(similarityWords(run, comparison), style));
  return lines;
}

function renderFleet(report: BaselineReport, view: BaselineView, style: TerminalStyle, lines: string[]): void {
  const width = Math.min(28, Math.max(5, ...report.agents.map((one) => columnsOf(printable(one.agent)))));
  lines.push("", style.paint.dim(`  ${padEnd("agent", width)}  runs  known  variant  NEW  what stands out`));
  for (const one of report.agents) {
    const known = one.counts.match + one.counts.accepted_variant;
    const variant = one.counts.variant + one.counts.structural_match;
    const numbers = `${padStart(integer(one.runs.length), 4)}  ${padStart(integer(known), 5)}  ${padStart(integer(variant), 7)}  ${padStart(integer(one.counts.new), 3)}`;
    const name = padEnd(cut(printable(one.agent), width, style.symbols.ellipsis), width);
    const prefix = `  ${name}  ${numbers}  `;
    lines.push(
      prefix + cut(printable(standsOut(one)), Math.max(10, style.columns - columnsOf(prefix)), style.symbols.ellipsis),
    );
  }
  const worst = report.agents.find((one) => one.baseline !== null && (one.counts.new > 0 || one.newTools.length > 0));
  if (worst !== undefined)
    lines.push(
      "",
      ...paragraph(
        `One agent in detail: spoor baseline compare ${view.paths.map(shellWord).join(" ")} --agent ${shellWord(worst.agent)}`,
        style,
      ),
    );
}

function standsOut(comparison: AgentComparison): string {
  if (comparison.baseline === null) return "no baseline";
  const parts: string[] = [];
  if (comparison.newTools.length > 0) parts.push(`new: ${list(comparison.newTools.map((tool) => tool.tool))}`);
  if (comparison.lostTools.length > 0)
    parts.push(`lost: ${list([...new Set(comparison.lostTools.map((tool) => tool.tool))])}`);
  const high = signalLines(comparison, plain).filter((signal) => signal.severity === "severe").length;
  if (high > 0) parts.push(count(high, "high signal"));
  if (comparison.differences.length > 0)
    parts.push(`other ${list(comparison.differences.map((difference) => difference.what))}`);
  return parts.length === 0 ? "nothing" : parts.join("; ");
}

function renderPolicy(report: BaselineReport, style: TerminalStyle, lines: string[]): void {
  const outcomes = report.agents.flatMap((agent) => (agent.policy === undefined ? [] : [agent.policy]));
  const broken = outcomes.flatMap((outcome) => outcome.violations);
  const violations = broken.filter(({ severity }) => severity === "severe");
  const warnings = broken.filter(({ severity }) => severity !== "severe");
  if (outcomes.length === 0) return;
  for (const finding of violations.slice(0, 10)) {
    lines.push(
      labelled("Rule", `${style.symbols.failed} ${finding.ruleId}: ${finding.message} (${finding.run})`, style),
    );
  }
  for (const finding of warnings.slice(0, 10)) {
    lines.push(
      labelled("Rule", `${style.symbols.warning} ${finding.ruleId}: ${finding.message} (${finding.run})`, style),
    );
  }
  const skipped = outcomes.reduce((sum, outcome) => sum + outcome.notEvaluated.length, 0);
  lines.push(
    labelled(
      "Policy",
      `${count(violations.length, "violation")}, ${count(warnings.length, "warning")}, ${skipped} not evaluated`,
      style,
    ),
  );
}

function renderTail(report: BaselineReport, view: BaselineView, style: TerminalStyle, lines: string[]): void {
  const { coverage, gate } = report;
  const lacking = recordingWords(coverage);
  if (coverage.callsWithoutResult > 0)
    lacking.unshift(
      `${integer(coverage.callsWithoutResult)} of ${count(coverage.toolCalls, "tool call")} have no result`,
    );
  if (lacking.length > 0) lines.push(labelled("Coverage", lacking.join("; "), style));
  if (gate.reasons.length > 0) {
    const verb = gate.tripped ? "Blocked by" : "Not blocked, though there is";
    lines.push(...paragraph(`${verb} ${reasonWords(gate.reasons, plain)}.`, style));
  }
  const next = nextCommand(report, view);
  const tail = `exit code ${view.exitCode}`;
  if (next === undefined && !gate.tripped) return;
  const left = next === undefined ? "  " : `  Next: ${printable(next)}`;
  const room = style.columns - columnsOf(left) - tail.length;
  lines.push(
    room >= 2
      ? `${left}${" ".repeat(room)}${style.paint.dim(tail)}`
      : `${left}\n${" ".repeat(style.columns - tail.length)}${style.paint.dim(tail)}`,
  );
}

export function nextCommand(report: BaselineReport, view: Pick<BaselineView, "paths">): string | undefined {
  const paths = view.paths.map(shellWord).join(" ");
  if (report.verdict.code === "no_baseline") return `spoor baseline build ${paths}`;
  const pending = report.agents.some((agent) =>
    agent.runs.some((run) => !isKnown(run.status) && run.status !== "no_baseline"),
  );
  return pending ? `spoor baseline review ${paths}` : undefined;
}

function labelled(label: string, text: string, style: TerminalStyle): string {
  return hang(`  ${padEnd(label, LABEL - 2)}  `, printable(text), style.columns);
}

function paragraph(text: string, style: TerminalStyle): string[] {
  return wrap(printable(text), style.columns - 2).map((line) => `  ${line}`);
}
