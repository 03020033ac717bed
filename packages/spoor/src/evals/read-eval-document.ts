/**
 * An eval file → a document: YAML, JSON Lines, or a table (CSV, TSV). What belongs to the suite stands, for lines and tables, in
 * `<name>.yaml` beside them.
 */
import { statSync } from "node:fs";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { isObject, member, setMember } from "@spoor/core/internal/trace/json";
import { MOST_DOCUMENT_BYTES, readText } from "../load/read-text.ts";
import { parseCaseLines } from "./case-lines.ts";
import { LISTED } from "./case-list-source.ts";
import { parseCaseTable } from "./case-table.ts";
import { CASE_LISTS } from "./eval-file.ts";

const LINES = /\.jsonl$/i;
const TABLE = /\.(csv|tsv)$/i;

/** A list of cases and nothing else. */
export function isCaseList(file: string): boolean {
  return LINES.test(file) || TABLE.test(file);
}

export function readEvalDocument(file: string): Source {
  const source = readCaseDocument(file);
  return isCaseList(file) ? withSuite(source, file) : source;
}

/** The same without what stands beside it; `shown` is what messages call it. */
export function readCaseDocument(file: string, shown = file): Source {
  const text = textOf(file);
  if (LINES.test(file)) return parseCaseLines(text, shown);
  if (TABLE.test(file)) return parseCaseTable(text, shown);
  return parseYaml(text, shown, { anySize: true });
}

function textOf(file: string): string {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("eval.no-files", `${file} ${why}.`, { at: { file }, consequence: "Nothing was run.", cause });
  return readText(file, fail, MOST_DOCUMENT_BYTES);
}

function withSuite(source: Source, file: string): Source {
  const beside = [".yaml", ".yml"].map((ending) => file.replace(/\.[^.]+$/, ending));
  const found = beside.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (found === undefined) return source;
  const suite = parseYaml(textOf(found), found, { anySize: true }).value;
  const value: Record<string, Json> = {};
  if (isObject(suite))
    for (const [key, item] of Object.entries(suite))
      if (!(CASE_LISTS as readonly string[]).includes(key)) setMember(value, key, item);
  value[LISTED] = member(source.value, LISTED)!;
  return { ...source, value };
}
