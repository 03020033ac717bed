/**
 * A policy file without some of its rules, and without the examples that speak of nothing else. The rest of the text stays as its
 * author wrote it, comments included. What cannot be cut out line by line is refused: half a rule is worse than a rule.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { isObject, type Json, jsonEqual, member } from "@spoor/core/internal/trace/json";

export interface RemovedRules {
  readonly text: string;
  readonly examples: number;
}

export function removeRules(text: string, file: string, ids: readonly string[]): RemovedRules {
  const source = parseYaml(text, file);
  const rules = listAt(source, "rules");
  const gone = new Set(ids);
  const ruleItems = indicesOf(rules, (rule) => gone.has(String(member(rule, "id"))));
  if (ruleItems.length < gone.size) throw cannotRemove(file, "not all of the rules stand in this file under their ids");
  if (ruleItems.length === rules.length) throw cannotRemove(file, "nothing would be left of it");
  const examples = listAt(source, "examples");
  const exampleItems = indicesOf(examples, (example) => {
    const named = [member(example, "passes"), member(example, "fails")].flat().filter((id) => id !== undefined);
    return named.length > 0 && named.every((id) => gone.has(String(id)));
  });
  const lines = text.split("\n");
  const cut = new Set<number>();
  const remove = (key: string, items: readonly number[], of: readonly Json[]) => {
    for (const index of items) for (const line of linesOfItem(lines, source, key, index, of.length)) cut.add(line);
    // A list without anything in it goes with its key.
    if (items.length === of.length && of.length > 0) cut.add(source.locate([key], "key").line! - 1);
  };
  remove("rules", ruleItems, rules);
  remove("examples", exampleItems, examples);
  const left = lines.filter((_, line) => !cut.has(line)).join("\n");
  const rest = text.endsWith("\n") ? left.replace(/\n*$/, "\n") : left;
  const expected = without(without(source.value, "rules", ruleItems), "examples", exampleItems);
  if (!isSame(rest, file, expected)) throw cannotRemove(file, "it is written in a way that cannot be cut line by line");
  return { text: rest, examples: exampleItems.length };
}

/** What is left is read again: it must say all that was said before, and nothing of what goes. */
function isSame(text: string, file: string, expected: Json): boolean {
  try {
    return jsonEqual(parseYaml(text, file).value, expected);
  } catch (error) {
    if (error instanceof SpoorError) return false;
    throw error;
  }
}

function without(value: Json, key: string, items: readonly number[]): Json {
  if (!isObject(value) || items.length === 0) return value;
  const left = (value[key] as readonly Json[]).filter((_, index) => !items.includes(index));
  const { [key]: _gone, ...others } = value;
  return left.length === 0 ? others : { ...others, [key]: left };
}

function listAt(source: Source, key: string): readonly Json[] {
  const list = isObject(source.value) ? source.value[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function indicesOf(list: readonly Json[], matches: (item: Json) => boolean): number[] {
  return [...list.keys()].filter((index) => matches(list[index]!));
}

/** The lines of an item of a list in block style, from 0, with the comment right above it and the empty lines below. */
function linesOfItem(lines: readonly string[], source: Source, key: string, index: number, count: number): number[] {
  const startOf = (item: number) => source.locate([key, item]).line! - 1;
  const start = startOf(index);
  const dash = /^(\s*)-\s/.exec(lines[start] ?? "")?.[1]?.length;
  if (dash === undefined) throw cannotRemove(source.file, "its lists are not written one item a line");
  const next = index + 1 < count ? startOf(index + 1) : undefined;
  let end = start + 1;
  while (end < lines.length && end !== next && belongs(lines[end]!, dash)) end++;
  // The comment above the next item is the next item's.
  if (next !== undefined) while (end > start + 1 && isComment(lines[end - 1]!)) end--;
  let begin = start;
  while (begin > 0 && isComment(lines[begin - 1]!) && indentOf(lines[begin - 1]!) >= dash) begin--;
  return Array.from({ length: end - begin }, (_, at) => begin + at);
}

function belongs(line: string, dash: number): boolean {
  return line.trim() === "" || isComment(line) || indentOf(line) > dash;
}

function isComment(line: string): boolean {
  return line.trimStart().startsWith("#");
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function cannotRemove(file: string, why: string): SpoorError {
  return new SpoorError("accept.rule", `The rule cannot be taken out of ${file}: ${why}.`, {
    at: { file },
    consequence: "Nothing was accepted.",
    hint: "Change the rule by hand, or accept with --rules keep and change it afterwards.",
  });
}
