/** The columns of a table, out of the statement that made it: all that a database keeps of them. */
import type { SqlValue } from "../../formats/database.ts";

export interface Column {
  readonly name: string;
  /** It stands for the id of the row, which is not repeated in the record. */
  readonly isRowId: boolean;
  /** Computed when it is asked for, and stored nowhere. */
  readonly isVirtual: boolean;
  /** What rows have that are older than the column. */
  readonly whenAbsent: SqlValue;
}

export function parseColumns(statement: string): Column[] {
  const tokens = tokensOf(statement);
  const open = tokens.indexOf("(");
  const definitions = open < 0 ? [] : splitDefinitions(tokens.slice(open + 1));
  const key = definitions.map(keyOfTable).find((name) => name !== undefined);
  return definitions.filter((words) => words.length > 0 && !isConstraint(words)).map((words) => columnOf(words, key));
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|[(),]|[^\s(),"'`[]+/g;

function tokensOf(statement: string): string[] {
  return (statement.match(TOKEN) ?? []).filter((token) => !token.startsWith("--") && !token.startsWith("/*"));
}

/** What stands between commas, up to the closing bracket; brackets inside stay whole. */
function splitDefinitions(tokens: readonly string[]): string[][] {
  const definitions: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === ")" && depth === 0) break;
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token === "," && depth === 0) definitions.push([]);
    else definitions.at(-1)!.push(token);
  }
  return definitions;
}

const CONSTRAINTS: ReadonlySet<string> = new Set(["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]);

function isConstraint(words: readonly string[]): boolean {
  return CONSTRAINTS.has(words[0]!.toUpperCase());
}

/** The one column of `PRIMARY KEY (column)`. */
function keyOfTable(words: readonly string[]): string | undefined {
  if (words.length === 0 || !isConstraint(words)) return undefined;
  const at = words.findIndex((word, index) => /^primary$/i.test(word) && /^key$/i.test(words[index + 1] ?? ""));
  return at >= 0 && words[at + 2] === "(" && words[at + 4] === ")" ? unquoted(words[at + 3]!) : undefined;
}

function columnOf(words: readonly string[], key: string | undefined): Column {
  const name = unquoted(words[0]!);
  const upper = words.map((word) => word.toUpperCase());
  const keyAt = upper.findIndex((word, index) => word === "PRIMARY" && upper[index + 1] === "KEY");
  const isKey = keyAt > 0 ? upper[keyAt + 2] !== "DESC" : key !== undefined && key.toLowerCase() === name.toLowerCase();
  const isGenerated = upper.some((word, index) => index > 0 && word === "AS" && words[index + 1] === "(");
  return {
    name,
    isRowId: isKey && upper[1] === "INTEGER",
    isVirtual: isGenerated && upper.at(-1) !== "STORED",
    whenAbsent: defaultOf(words, upper),
  };
}

function defaultOf(words: readonly string[], upper: readonly string[]): SqlValue {
  const at = upper.indexOf("DEFAULT");
  let value = at < 1 ? undefined : words[at + 1];
  if (value === "(" && words[at + 3] === ")") value = words[at + 2];
  if (value === undefined) return null;
  if (/^['"]/.test(value)) return unquoted(value);
  if (/^(?:true|false)$/i.test(value)) return /^t/i.test(value) ? 1 : 0;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : null;
}

function unquoted(token: string): string {
  const quote = token[0]!;
  if (quote === "[") return token.slice(1, -1);
  return /["'`]/.test(quote) ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
}
