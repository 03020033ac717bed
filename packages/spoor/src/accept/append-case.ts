/**
 * An eval file with one more case. What stands in it stays as its author wrote it, comments included; what cannot be added to line by
 * line is refused rather than rewritten.
 */
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { isObject, jsonEqual, member, setMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { CASE_LISTS } from "../evals/eval-file.ts";
import { yamlScalar } from "../init/yaml-scalar.ts";

const DATASET = { anySize: true } as const;

export interface AddedCase {
  readonly text: string;
  readonly id: string;
  /** The very case stood there already, under this id; the text is as it was. */
  readonly known?: true;
}

const HEADER = `# Runs that were turned down, and what should have been done: each case fails until the agent does it again.
# Recorded runs are scored by spoor score TRACES --evaluators THIS-FILE, the agent is asked by spoor eval THIS-FILE.
description: Behaviour that must not come back

evalcases:
`;

/** `before` is the file as it is; undefined when there is none. An id that is taken gets a number. */
export function appendCase(before: string | undefined, file: string, added: JsonObject): AddedCase {
  const jsonLines = /\.jsonl$/i.test(file);
  if (/\.(csv|tsv)$/i.test(file)) throw cannotAdd(file, "a row of a table has no room for a path of calls");
  if (before === undefined || before.trim() === "") {
    const text = jsonLines ? `${stringifyJson(added)}\n` : `${HEADER}${renderCase(added, 2)}`;
    return { text, id: stringMember(added, "id")! };
  }
  const cases = jsonLines ? casesOfLines(before, file) : casesOf(parseYaml(before, file, DATASET));
  const same = cases.find((one) => jsonEqual(contentOf(one), contentOf(added)));
  if (same !== undefined) return { text: before, id: stringMember(same, "id") ?? "", known: true };
  const id = freeId(stringMember(added, "id")!, cases);
  const named = { ...added, id };
  const lineEnd = before.includes("\r\n") ? "\r\n" : "\n";
  const whole = before.replace(/(?<!\n)$/, lineEnd);
  const text = jsonLines ? `${whole}${stringifyJson(named)}${lineEnd}` : insert(whole, file, named, lineEnd);
  return { text, id };
}

/** What makes a case: its name and what people wrote about it do not. */
function contentOf(one: Json): Json {
  return isObject(one) ? { ...one, id: null, description: null } : one;
}

function freeId(wanted: string, cases: readonly Json[]): string {
  const taken = new Set(cases.map((one) => stringMember(one, "id")));
  let id = wanted;
  for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`;
  return id;
}

function casesOfLines(text: string, file: string): Json[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === "") return [];
      try {
        return [parseJson(line)];
      } catch {
        throw cannotAdd(file, `line ${index + 1} is not valid JSON`);
      }
    });
}

function casesOf(source: Source): readonly Json[] {
  const { value, file } = source;
  if (value !== null && !isObject(value)) throw cannotAdd(file, "it is no eval file");
  const key = listKey(value);
  const list = key === undefined ? [] : member(value, key);
  if (typeof list === "string") throw cannotAdd(file, `its cases stand in ${list}`);
  return Array.isArray(list) ? list : [];
}

function listKey(value: Json): (typeof CASE_LISTS)[number] | undefined {
  return CASE_LISTS.find((key) => member(value, key) !== undefined);
}

function insert(text: string, file: string, added: JsonObject, lineEnd: string): string {
  const source = parseYaml(text, file, DATASET);
  const key = listKey(source.value);
  const cases = casesOf(source);
  const lines = text.split(lineEnd);
  let written: string;
  if (key === undefined)
    written = joined(lines.slice(0, -1), ["", "evalcases:", ...caseLines(added, 2)], [""], lineEnd);
  else if (cases.length === 0) {
    const at = source.locate([key], "key").line! - 1;
    const bare = lines[at]!.replace(
      /:\s*(\[\s*\]|null|~)?\s*(#.*)?$/,
      (_, _list, comment) => `:${comment ? ` ${comment}` : ""}`,
    );
    written = joined(lines.slice(0, at), [bare, ...caseLines(added, 2)], lines.slice(at + 1), lineEnd);
  } else {
    const start = source.locate([key, cases.length - 1]).line! - 1;
    const dash = /^(\s*)-\s/.exec(lines[start] ?? "")?.[1]?.length;
    if (dash === undefined) throw cannotAdd(file, "its list of cases is not written one item a line");
    const end = endOfItem(lines, start, dash);
    const apart = cases.length > 1 && lines[start - 1]?.trim() === "" ? [""] : [];
    written = joined(lines.slice(0, end), [...apart, ...caseLines(added, dash)], lines.slice(end), lineEnd);
  }
  if (!isExtended(written, file, source.value, key ?? "evalcases", added))
    throw cannotAdd(file, "it is written in a way that cannot be added to line by line");
  return written;
}

function joined(
  before: readonly string[],
  added: readonly string[],
  after: readonly string[],
  lineEnd: string,
): string {
  return [...before, ...added, ...after].join(lineEnd);
}

/** The line after an item of a list: empty lines and comments below it are not its own. */
function endOfItem(lines: readonly string[], start: number, dash: number): number {
  const indentOf = (line: string) => line.length - line.trimStart().length;
  let end = start + 1;
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    if (indentOf(line) <= dash) break;
    end = at + 1;
  }
  return end;
}

/** What was written is read again: all that was there, and one case more. */
function isExtended(text: string, file: string, before: Json, key: string, added: JsonObject): boolean {
  try {
    const expected: Record<string, Json> = {};
    for (const [name, item] of Object.entries(isObject(before) ? before : {})) setMember(expected, name, item);
    const list = member(before, key);
    setMember(expected, key, [...(Array.isArray(list) ? list : []), added]);
    return jsonEqual(parseYaml(text, file, DATASET).value, expected);
  } catch (error) {
    if (error instanceof SpoorError) return false;
    throw error;
  }
}

/** A case as an item of a list in block style, `indent` columns in. */
export function renderCase(added: JsonObject, indent: number): string {
  return `${caseLines(added, indent).join("\n")}\n`;
}

function caseLines(added: JsonObject, indent: number): string[] {
  return itemLines(added).map((line) => " ".repeat(indent) + line);
}

function itemLines(item: Json): string[] {
  if (!isObject(item)) return [`- ${scalar(item)}`];
  return mappingLines(item).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

/** Arguments and other data of a run stand on one line as JSON, which is YAML. */
function mappingLines(value: JsonObject): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const name = yamlScalar(key);
    if (key === "args" || key === "maximums") return [`${name}: ${scalar(item)}`];
    if (Array.isArray(item) && item.length > 0)
      return [`${name}:`, ...item.flatMap((one) => itemLines(one)).map((line) => `  ${line}`)];
    if (isObject(item) && Object.keys(item).length > 0)
      return [`${name}:`, ...mappingLines(item).map((line) => `  ${line}`)];
    return [`${name}: ${scalar(item)}`];
  });
}

function scalar(value: Json): string {
  if (typeof value === "string") return yamlScalar(value);
  return stringifyJson(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function cannotAdd(file: string, why: string): SpoorError {
  return new SpoorError("eval.cannot-add", `No case can be added to ${file}: ${why}.`, {
    at: { file },
    consequence: "It is as it was.",
    hint: "Name another file with --to; a new one is made where there is none.",
  });
}
