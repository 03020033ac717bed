/** An error as people read it: what happened, where, what it means, what to type; then one stable code for scripts. */
import type { Problem, SpoorError } from "@spoor/core";
import { printable } from "@spoor/core/internal/text/printable";
import { typedCommands } from "../../document/typed-command.ts";
import { count } from "../../document/words.ts";
import { columnsOf, cut, hang, wrap } from "./layout.ts";
import type { TerminalStyle } from "./terminal-style.ts";

/** Problems shown of one file; a file of another kind can have one per word. */
const MOST_PROBLEMS = 20;

export function renderError(error: SpoorError, exitCode: number, style: TerminalStyle): string {
  const { symbols, paint } = style;
  const prefix = `${symbols.failed} `;
  const lines = [hang(`${paint.bad(symbols.failed)} `, printable(error.message), style.columns)];
  if (error.problems.length > 0) {
    lines.push("", ...error.problems.slice(0, MOST_PROBLEMS).map((problem) => renderProblem(problem, style)));
    const more = error.problems.length - MOST_PROBLEMS;
    if (more > 0) lines.push(`  ${symbols.ellipsis} ${count(more, "more problem")}`);
  }
  if (error.excerpt !== undefined && error.at.column !== undefined) {
    lines.push(
      ...renderExcerpt(error.excerpt, error.at.line ?? 1, error.at.column, style, { note: error.excerptNote }),
    );
  }
  const indent = " ".repeat(columnsOf(prefix));
  const rest = [error.consequence, error.hint]
    .filter((part) => part !== undefined && part !== "")
    .map((part) => printable(typedCommands(part!, style.program)));
  const body = rest.length === 0 ? [] : wrap(rest.join(" "), style.columns - indent.length);
  const tail = `${error.code}  exit code ${exitCode}`;
  const last = body.at(-1) ?? "";
  const room = style.columns - indent.length - columnsOf(last) - columnsOf(tail);
  if (body.length > 0 && room >= 2) body[body.length - 1] = last + " ".repeat(room) + paint.dim(tail);
  else body.push(" ".repeat(Math.max(0, style.columns - indent.length - columnsOf(tail))) + paint.dim(tail));
  lines.push(...body.map((line) => (indent + line).trimEnd()));
  return `${lines.join("\n")}\n`;
}

/** `   5:11  unknown kind …` with the line it stands on. */
function renderProblem(problem: Problem, style: TerminalStyle): string {
  const { line, column } = problem.at;
  const place = line === undefined ? (problem.at.path ?? "") : `${line}:${column ?? 1}`;
  const head = hang(`${place.padStart(6)}  `, printable(problem.message), style.columns);
  if (problem.excerpt === undefined || line === undefined || column === undefined) return head;
  return [head, ...renderExcerpt(problem.excerpt, line, column, style, { length: problem.length })].join("\n");
}

interface Mark {
  /** Characters that are meant, from the column on. */
  readonly length?: number | undefined;
  /** A word behind the carets. */
  readonly note?: string | undefined;
}

/** The line with carets under what is meant; a long line is cut around it. */
function renderExcerpt(
  excerpt: string,
  line: number,
  column: number,
  style: TerminalStyle,
  { length = 1, note }: Mark,
): string[] {
  const { symbols, paint } = style;
  const number = String(line);
  const gutter = `    ${number} ${symbols.gutter} `;
  const room = style.columns - gutter.length - 2;
  const from = column - 1 > room - 20 ? Math.max(0, column - 1 - Math.floor(room * 0.7)) : 0;
  const lead = from > 0 ? symbols.ellipsis : "";
  const before = printable(excerpt.slice(from, column - 1));
  const text = cut(lead + before + printable(excerpt.slice(column - 1, column - 1 + room)), room, symbols.ellipsis);
  const indent = columnsOf(lead + before);
  const meant = columnsOf(printable(excerpt.slice(column - 1, column - 1 + length)));
  const carets = " ".repeat(indent) + "^".repeat(Math.max(1, Math.min(meant, columnsOf(text) - indent)));
  return [
    text === "" ? paint.dim(gutter.trimEnd()) : `${paint.dim(gutter)}${text}`,
    `    ${" ".repeat(number.length)} ${paint.dim(symbols.gutter)} ${carets}${note === undefined ? "" : ` ${note}`}`,
  ];
}
