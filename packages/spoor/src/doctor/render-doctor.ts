/** The doctor's findings in words: the answer first, then each area, a fix under what needs one. Pure. */

import { printable } from "@spoor/core/internal/text/printable";
import { typedCommands } from "../document/typed-command.ts";
import { count } from "../document/words.ts";
import { hang } from "../write/terminal/layout.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import { areas, type Finding } from "./finding.ts";

export function renderDoctor(findings: readonly Finding[], exitCode: number, style: TerminalStyle): string {
  const lines = [verdictLine(findings, style), ""];
  for (const area of areas) {
    const own = findings.filter((finding) => finding.area === area);
    if (own.length > 0) lines.push(`  ${area}`, ...own.map((finding) => renderFinding(finding, style)));
  }
  const next = findings.some(({ status }) => status === "problem") ? "" : "  Next: spoor gate";
  const tail = `exit code ${exitCode}`;
  lines.push("", next + style.paint.dim(tail.padStart(Math.max(tail.length + 2, style.columns - next.length))));
  return `${lines.join("\n")}\n`;
}

function verdictLine(findings: readonly Finding[], { symbols, paint, columns }: TerminalStyle): string {
  const problems = findings.filter(({ status }) => status === "problem").length;
  const warnings = findings.filter(({ status }) => status === "warning").length;
  if (problems > 0)
    return hang(
      `${paint.bad(symbols.failed)} `,
      `${count(problems, "problem")} ${problems === 1 ? "keeps" : "keep"} spoor gate from running.`,
      columns,
    );
  if (warnings > 0)
    return hang(
      `${paint.warn(symbols.warning)} `,
      `spoor gate can run; ${count(warnings, "thing")} to know first.`,
      columns,
    );
  return hang(`${paint.good(symbols.passed)} `, "Everything spoor gate needs is there.", columns);
}

function renderFinding(
  { status, what, code, details = [], fix }: Finding,
  { symbols, paint, columns, program }: TerminalStyle,
): string {
  const mark = {
    ok: paint.good(symbols.passed),
    warning: paint.warn(symbols.warning),
    problem: paint.bad(symbols.failed),
  }[status];
  const lines = [hang(`    ${mark} `, printable(code === undefined ? what : `${what} [${code}]`), columns)];
  lines.push(...details.map((detail) => hang("        ", printable(detail), columns)));
  if (fix !== undefined) lines.push(hang("      Fix: ", printable(typedCommands(fix, program)), columns));
  return lines.join("\n");
}
