/** The doctor's findings in words: the answer first, then each area, a fix under what needs one. Pure. */

import { printable } from "@spoor/core/internal/text/printable";
import { typedCommands } from "../document/typed-command.ts";
import { count } from "../document/words.ts";
import { hang } from "../write/terminal/layout.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import { areas, type Finding } from "./finding.ts";

/** What was looked at, and what can be done when it is in order. */
export interface Examined {
  readonly problems: (count: number, findings: readonly Finding[]) => string;
  readonly warnings: (count: number) => string;
  readonly inOrder: string;
  readonly next: string;
}

const project: Examined = {
  problems: (number) => `${count(number, "problem")} ${number === 1 ? "keeps" : "keep"} spoor gate from running.`,
  warnings: (number) => `spoor gate can run; ${count(number, "thing")} to know first.`,
  inOrder: "Everything spoor gate needs is there.",
  next: "  Next: spoor gate",
};

export const store: Examined = {
  problems: (number, findings) =>
    wordsOfNotLooked[notLookedAt(findings) ?? ""] ?? `The store is not whole: ${count(number, "problem")}.`,
  warnings: (number) => `The store is whole; ${count(number, "thing")} to know.`,
  inOrder: "The store is whole.",
  next: "",
};

/** Why it could not be looked at: nothing is known of what is in it. */
const wordsOfNotLooked: Readonly<Record<string, string>> = {
  "store.unavailable": "The store cannot be reached, so nothing is known of it.",
  "store.address": "The store cannot be reached, so nothing is known of it.",
  "store.full": "The store has no room left, so it was not looked at.",
  "store.locked": "The store is in use, so it was not looked at.",
  "store.newer": "The store is of a newer version, so it was not looked at.",
  "store.outdated": "The store is of an older version, so it was not looked at.",
  "store.not-ours": "This is no store of this version, so it was not looked at.",
  "store.damaged": "The store is damaged: it cannot be read.",
};

/** The code with which looking ended before it began; damage that kept it from being opened is an answer. */
export function notLookedAt(findings: readonly Finding[]): string | undefined {
  return findings.find(({ status, code }) => status === "problem" && code !== undefined && code in wordsOfNotLooked)
    ?.code;
}

export function renderDoctor(
  findings: readonly Finding[],
  exitCode: number,
  style: TerminalStyle,
  examined: Examined = project,
): string {
  const lines = [verdictLine(findings, style, examined), ""];
  for (const area of areas) {
    const own = findings.filter((finding) => finding.area === area);
    if (own.length > 0) lines.push(`  ${area}`, ...own.map((finding) => renderFinding(finding, style)));
  }
  const next = findings.some(({ status }) => status === "problem") ? "" : examined.next;
  const tail = `exit code ${exitCode}`;
  lines.push("", next + style.paint.dim(tail.padStart(Math.max(tail.length + 2, style.columns - next.length))));
  return `${lines.join("\n")}\n`;
}

function verdictLine(
  findings: readonly Finding[],
  { symbols, paint, columns }: TerminalStyle,
  examined: Examined,
): string {
  const problems = findings.filter(({ status }) => status === "problem").length;
  const warnings = findings.filter(({ status }) => status === "warning").length;
  if (problems > 0) return hang(`${paint.bad(symbols.failed)} `, examined.problems(problems, findings), columns);
  if (warnings > 0) return hang(`${paint.warn(symbols.warning)} `, examined.warnings(warnings), columns);
  return hang(`${paint.good(symbols.passed)} `, examined.inOrder, columns);
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
