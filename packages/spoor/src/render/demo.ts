/** The demo's story in parts: the change, then four commands with what they say in short. Every figure comes from the report. */
import type { DiffReport } from "@spoor/core/diff/diff-report";
import type { BaselineReport } from "@spoor/core/fingerprint/baseline-report";
import type { GateReport } from "@spoor/core/gate/gate-report";
import type { CheckReport, RuleReport } from "@spoor/core/policy/check-report";
import { printable } from "../document/printable.ts";
import { count, percent } from "../document/words.ts";
import { columnsOf, cut, hang, padEnd, wrap } from "../write/terminal/layout.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import { renderAlignment } from "./baseline/alignment.ts";
import { shownValue } from "./diff/argument-lines.ts";
import { verdictSentence } from "./diff/verdict-sentence.ts";
import { reasonsSentence } from "./gate/words.ts";

export function renderDemo(report: GateReport, htmlPath: string, style: TerminalStyle): string[] {
  const { diff, policy, baseline } = report.reports;
  return [
    opening(diff!, style),
    step(1, "spoor diff baseline candidate", diffLines(diff!, style), style),
    step(2, "spoor check candidate --policy policies/refunds.yaml", checkLines(policy!, style), style),
    step(3, "spoor baseline compare candidate", baselineLines(baseline!, style), style),
    step(4, "spoor gate", gateLines(report, htmlPath, style), style),
  ];
}

function opening(diff: DiffReport, { paint }: TerminalStyle): string {
  const { system } = diff.goingIn;
  return [
    `A support agent answers ${words(diff.matching.pairs)} tickets. Someone adds one line to its prompt:`,
    "",
    "    For refunds: look up the order, confirm the amount, then issue it.",
    ...system.added.map((line) => paint.good(`  + ${printable(line)}`)),
    "",
  ].join("\n");
}

function words(amount: number): string {
  return ["no", "one", "two", "three", "four", "five", "six"][amount] ?? String(amount);
}

function step(number: number, command: string, lines: readonly string[], { paint }: TerminalStyle): string {
  return `${[`${number}  ${paint.bold(`$ ${command}`)}`, ...lines.map((line) => (line === "" ? "" : `   ${line}`))].join("\n")}\n`;
}

function diffLines(diff: DiffReport, style: TerminalStyle): string[] {
  const { symbols, paint } = style;
  const room = style.columns - 3;
  const { structure } = diff;
  const sentence = verdictSentence(diff.verdict, diff.noun).split(" In the baseline")[0]!;
  const quiet = diff.rows.every((row) => row.gateSeverity === "none" || row.gateSeverity === "minor");
  const share = `${structure.changed} of ${structure.turns} turns differ (${percent(structure.share)}; ${percent(structure.interval.low).replace(" %", "")} to ${percent(structure.interval.high)} is plausible).`;
  const lines = [
    ...hang(`${paint.bad(symbols.failed)} `, sentence, room).split("\n"),
    ...wrap(`${share}${quiet ? " The nine averages hardly move, which is why nobody noticed." : ""}`, room - 2).map(
      (line) => `  ${line}`,
    ),
  ];
  const first = diff.firstDivergence;
  if (first === null) return lines;
  const trace = diff.traces[first.traceIndex]!;
  const changes = trace.timeline?.rows.flatMap((row) => row.calls?.arguments ?? []) ?? [];
  lines.push(
    `  It begins at ${printable(trace.name)}, turn ${first.baselineTurn + 1}: no confirmation, and other arguments:`,
  );
  const width = Math.max(...changes.map((change) => columnsOf(change.path)));
  for (const change of changes) {
    const values = `${shownValue(change.baseline, change.money)} ${symbols.arrow} ${shownValue(change.candidate, change.money)}`;
    lines.push(`    ${printable(change.tool)}  ${padEnd(printable(change.path), width)}  ${values}`);
  }
  return lines;
}

function checkLines(policy: CheckReport, style: TerminalStyle): string[] {
  const width = Math.max(...policy.rules.map((rule) => columnsOf(rule.id)));
  return policy.rules.map((rule) => {
    const [symbol, result] = resultOf(rule, style);
    const places = rule.violations.map(
      (violation) => `${printable(policy.traces[violation.trace]!.name)}:${(violation.turnIndex ?? 0) + 1}`,
    );
    const detail =
      rule.status === "passed"
        ? rule.seen.map((seen) => count(seen.amount, seen.noun)).join(", ")
        : [...places, ...detailOf(rule)].join("  ");
    const head = `${symbol} ${padEnd(rule.id, width)}   ${padEnd(result, 12)}   `;
    return head + cut(detail, style.columns - 3 - columnsOf(head), style.symbols.ellipsis);
  });
}

function resultOf(rule: RuleReport, { symbols, paint }: TerminalStyle): [string, string] {
  if (rule.status === "passed") return [paint.good(symbols.passed), "passed"];
  if (rule.severity === "moderate") return [paint.warn(symbols.warning), count(rule.violations.length, "warning")];
  return [paint.bad(symbols.failed), count(rule.violations.length, "violation")];
}

function detailOf(rule: RuleReport): string[] {
  return rule.severity === "moderate" && rule.violations.length === 1
    ? [printable(rule.violations[0]!.message).replace(/\.$/, "")]
    : [];
}

function baselineLines(baseline: BaselineReport, style: TerminalStyle): string[] {
  const { symbols, paint } = style;
  const agent = baseline.agents[0]!;
  const odd = agent.runs.filter((run) => run.status === "new");
  const closest = odd[0]?.closest;
  const ofKind = agent.runs.filter((run) => run.closest?.hash === closest?.hash || run.hash === closest?.hash).length;
  const kind = closest?.name ?? "run";
  const lines = [
    `${paint.bad(symbols.failed)} ${odd.length} of ${count(ofKind, kind)} take a path never seen in ${count(agent.baseline!.runs, "recorded run")}.`,
  ];
  if (closest?.alignment)
    lines.push(
      ...renderAlignment(closest.alignment, { known: "known", now: "now" }, { ...style, columns: style.columns - 3 }),
    );
  return lines;
}

function gateLines(report: GateReport, htmlPath: string, style: TerminalStyle): string[] {
  const { symbols, paint } = style;
  const head = `${paint.bad(symbols.failed)} Blocked: ${reasonsSentence(report)}.`;
  const tail = "exit code 1";
  const room = Math.max(2, style.columns - 3 - columnsOf(head) - tail.length);
  return [
    `${head}${" ".repeat(room)}${paint.dim(tail)}`,
    `The whole story:  ${printable(htmlPath)}`,
    "On your traces:   npx spoor init",
  ];
}
