/** `policy explain` and `policy test` on the terminal. */
import type { PolicyExplanation } from "@spoor/core/policy/explain-policy";
import type { ExampleResult, PolicyTestResult } from "@spoor/core/policy/test-policy";
import { printable } from "../../document/printable.ts";
import { count, list } from "../../document/words.ts";
import { hang, padEnd, wrap } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";

export function renderExplanation(report: PolicyExplanation, style: TerminalStyle): string {
  const lines = [printable(`${report.file ?? "The policy"}: ${count(report.rules.length, "rule")}`)];
  if (report.description !== null) lines.push(...indented(report.description, 2, style));
  if (report.sessionKey !== null) lines.push(...indented(`Sessions are told apart by ${report.sessionKey}.`, 2, style));
  for (const rule of report.rules) {
    lines.push("", `  ${style.paint.bold(printable(rule.id))}  ${style.paint.dim(rule.severity)}`);
    lines.push(...indented(rule.explanation, 4, style));
    if (rule.description !== "") lines.push(...indented(`Why: ${rule.description}`, 4, style));
    for (const { until, reason } of rule.exceptions)
      lines.push(...indented(`Excepted until ${until}: ${reason}`, 4, style));
  }
  return `${lines.join("\n")}\n`;
}

export function renderPolicyTest(report: PolicyTestResult, style: TerminalStyle): string {
  const { symbols, paint } = style;
  const total = report.examples.length;
  const lines: string[] = [];
  if (total === 0)
    lines.push(
      `${paint.dim(symbols.unknown)} ${printable(report.file ?? "The policy")} carries no examples: nothing was tested.`,
    );
  else if (report.failed === 0)
    lines.push(`${paint.good(symbols.passed)} ${report.passed} of ${count(total, "example")} behave as they say.`);
  else
    lines.push(
      `${paint.bad(symbols.failed)} ${report.failed} of ${count(total, "example")} ${report.failed === 1 ? "behaves" : "behave"} otherwise.`,
    );
  if (total > 0) lines.push("");
  for (const example of report.examples) lines.push(...renderExample(example, style));
  if (report.untested.length > 0) {
    lines.push("", "  Not shown to work:");
    const width = Math.max(...report.untested.map(({ ruleId }) => ruleId.length));
    for (const { ruleId, lacks } of report.untested) {
      const missing = lacks.map((side) => (side === "passes" ? "passes it" : "fails it"));
      lines.push(`    ${padEnd(printable(ruleId), width)}  no example ${list(missing, "or")}`);
    }
  }
  lines.push("", `  ${" ".repeat(style.columns - 13)}${paint.dim(`exit code ${report.failed > 0 ? 1 : 0}`)}`);
  return `${lines.join("\n")}\n`;
}

function renderExample(example: ExampleResult, style: TerminalStyle): string[] {
  const { symbols, paint } = style;
  if (example.ok) return [`  ${paint.good(symbols.passed)} ${printable(example.name)}`];
  const place = example.at.line === undefined ? "" : `  ${example.at.file ?? ""}:${example.at.line}`;
  const lines = [`  ${paint.bad(symbols.failed)} ${printable(example.name)}${paint.dim(place)}`];
  for (const { ruleId, expected, actual, messages } of example.expectations) {
    if (expected === actual) continue;
    const outcome = { pass: "it passes", fail: "it fails", unjudged: "it cannot be judged" }[actual];
    const because = messages.length === 0 ? "." : `: ${messages.join(" ")}`;
    lines.push(hang("      ", printable(`${ruleId} should ${expected}, but ${outcome}${because}`), style.columns));
  }
  return lines;
}

function indented(text: string, spaces: number, style: TerminalStyle): string[] {
  return wrap(printable(text), style.columns - spaces).map((line) => " ".repeat(spaces) + line);
}
