/**
 * A table → a document with one case per row. A column named like a key of a case is that key; every other column is a variable for
 * `{{ name }}` in prompts and input. An empty cell is a key that is not there. A row without an id is called by its number.
 */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Source } from "@spoor/core/internal/read/source";
import { nearest } from "@spoor/core/internal/text/nearest";
import { isObject, member, setMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { caseListSource } from "./case-list-source.ts";
import { CASE_KEYS } from "./eval-file.ts";
import { parseCsv } from "./parse-csv.ts";

export function parseCaseTable(text: string, file: string): Source {
  const table = parseCsv(text);
  const refuse = (line: number, message: string, hint?: string) =>
    new SpoorError("eval.bad-table", `${file}:${line}: ${message}.`, {
      at: { file, line, column: 1 },
      consequence: "Nothing was run.",
      ...(hint === undefined ? {} : { hint }),
    });
  if ("message" in table) throw refuse(table.line, table.message);
  const { header, rows } = table;
  for (const name of header) {
    const problem = columnProblem(name);
    if (problem !== undefined) throw refuse(1, problem, COLUMNS);
  }
  const cases = rows.map(({ cells, line }, index) => {
    const written: Record<string, Json> = {};
    if (!header.includes("id")) written["id"] = `row-${index + 1}`;
    for (const [column, name] of header.entries()) {
      const cell = cells[column]!;
      if (cell.trim() === "") continue;
      const value = cellValue(name, cell);
      if (value === undefined) throw refuse(line, `the cell of ${name} is not valid JSON: ${cell.trim().slice(0, 60)}`);
      place(written, name, value);
    }
    return written;
  });
  return caseListSource(file, cases, { lines: text.split(/\r\n|\n|\r/), lineOf: (index) => rows[index]?.line });
}

const COLUMNS =
  "A column is a key of a case (id, input, criteria, tags …), a part of one (metadata.owner, execution.threshold), or a variable for {{ name }}.";
/** Cells with several words, separated by commas. */
const LISTS = new Set(["tags", "input_files", "target"]);
const YES_OR_NO = new Set(["skip", "only"]);
/** Keys that hold more than a text: a cell with JSON is read as such. */
const STRUCTURED = new Set([
  ...["input_messages", "expected_messages", "execution", "rubrics", "vars", "metadata", "workspace"],
  ...["evaluators", "assertions", "assert"],
]);
const ENTRIES = new Set(["evaluators", "assertions", "assert", "rubrics"]);
const PARTS = new Set(["metadata", "vars", "execution"]);

function isKey(name: string): boolean {
  return CASE_KEYS.includes(name);
}

function columnProblem(name: string): string | undefined {
  if (isKey(name) || PARTS.has(name.split(".")[0]!)) return undefined;
  if (name.startsWith("__"))
    return `the column ${name} is promptfoo's and not read here; write the assertions as assert`;
  const close = name.length < 4 ? undefined : nearest(name, CASE_KEYS);
  return close === undefined
    ? undefined
    : `the column "${name}" is no key of a case. Did you mean ${close}? As written it would be a variable`;
}

function cellValue(name: string, cell: string): Json | undefined {
  const text = cell.trim();
  if (LISTS.has(name))
    return text
      .split(",")
      .map((word) => word.trim())
      .filter(Boolean);
  if (YES_OR_NO.has(name)) {
    const yes = /^(true|yes|1|x)$/i.test(text);
    return yes || /^(false|no|0)$/i.test(text) ? yes : cell;
  }
  if (name.startsWith("execution.")) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (!STRUCTURED.has(name)) return cell;
  if (!/^[[{]/.test(text)) return ENTRIES.has(name) ? [text] : cell;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function place(written: Record<string, Json>, name: string, value: Json): void {
  if (isKey(name)) {
    const part = member(written, name);
    setMember(written, name, isObject(part) && isObject(value) ? { ...value, ...part } : value);
    return;
  }
  const [head, ...rest] = name.split(".");
  const [key, path] = PARTS.has(head!) && rest.length > 0 ? [head!, rest.join(".")] : ["vars", name];
  const inner: Record<string, Json> = { ...((member(written, key) ?? {}) as Record<string, Json>) };
  setMember(inner, path, value);
  setMember(written, key, inner);
}
