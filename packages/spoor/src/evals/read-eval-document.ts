/**
 * An eval file → a document: YAML, JSON Lines, or a table (CSV, TSV). What belongs to the suite stands, for lines and tables, in
 * `<name>.yaml` beside them.
 */
import type { Json } from "@spoor/core";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { isObject, member, setMember } from "@spoor/core/internal/trace/json";
import { parseCaseLines } from "./case-lines.ts";
import { LISTED } from "./case-list-source.ts";
import { parseCaseTable } from "./case-table.ts";
import { CASE_LISTS } from "./eval-file.ts";
import { disk, type FileView } from "./file-view.ts";

const LINES = /\.jsonl$/i;
const TABLE = /\.(csv|tsv)$/i;

/** A list of cases and nothing else. */
export function isCaseList(file: string): boolean {
  return LINES.test(file) || TABLE.test(file);
}

export function readEvalDocument(file: string, view: FileView = disk): Source {
  const source = readCaseDocument(file, file, view);
  return isCaseList(file) ? withSuite(source, file, view) : source;
}

/** The same without what stands beside it; `shown` is what messages call it. */
export function readCaseDocument(file: string, shown = file, view: FileView = disk): Source {
  const text = view.read(file);
  if (LINES.test(file)) return parseCaseLines(text, shown);
  if (TABLE.test(file)) return parseCaseTable(text, shown);
  return parseYaml(text, shown, { anySize: true });
}

function withSuite(source: Source, file: string, view: FileView): Source {
  const beside = [".yaml", ".yml"].map((ending) => file.replace(/\.[^.]+$/, ending));
  const found = beside.find((path) => view.isFile(path));
  if (found === undefined) return source;
  const suite = parseYaml(view.read(found), found, { anySize: true }).value;
  const value: Record<string, Json> = {};
  if (isObject(suite))
    for (const [key, item] of Object.entries(suite))
      if (!(CASE_LISTS as readonly string[]).includes(key)) setMember(value, key, item);
  value[LISTED] = member(source.value, LISTED)!;
  return { ...source, value };
}
