/**
 * A policy file without some of its rules, and without the examples that speak of nothing else. The rest of the text stays as its
 * author wrote it, comments included. What cannot be cut out line by line is refused: half a rule is worse than a rule.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { isObject, type Json, jsonEqual, member } from "@spoor/core/internal/trace/json";
import { yamlScalar } from "../init/yaml-scalar.ts";

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
  const examples = listAt(source, "examples");
  const exampleItems = indicesOf(examples, (example) => {
    const named = [member(example, "passes"), member(example, "fails")].flat().filter((id) => id !== undefined);
    return named.length > 0 && named.every((id) => gone.has(String(id)));
  });
  const lines = text.split("\n");
  const cut = new Set<number>();
  const remove = (key: string, items: readonly number[], of: readonly Json[]) => {
    for (const index of items) for (const line of linesOfItem(lines, source, [key], index, of.length)) cut.add(line);
    if (items.length < of.length || of.length === 0) return;
    const at = source.locate([key], "key").line! - 1;
    // A list without anything in it goes with its key; without rules a file would not be a policy.
    if (key === "rules") lines[at] = lines[at]!.replace(/:\s*(?=#|\r?$)/, ": [] ").replace(/ (\r?)$/, "$1");
    else cut.add(at);
  };
  remove("rules", ruleItems, rules);
  remove("examples", exampleItems, examples);
  const spoken = [...examples.keys()].filter((index) => !exampleItems.includes(index));
  for (const index of spoken) forget(lines, cut, source, index, examples[index]!, gone);
  const left = lines.filter((_, line) => !cut.has(line)).join("\n");
  const rest = text.endsWith("\n") ? left.replace(/\n*$/, "\n") : left;
  const forgotten = member(source.value, "examples") === undefined ? source.value : forgetting(source.value, gone);
  const expected = without(without(forgotten, "rules", ruleItems), "examples", exampleItems);
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
  return left.length === 0 && key !== "rules" ? others : { ...others, [key]: left };
}

const NAMING = ["passes", "fails"] as const;

/** The value with no example that names a rule which goes; those that name nothing else are left to `without`. */
function forgetting(value: Json, gone: ReadonlySet<string>): Json {
  if (!isObject(value) || !Array.isArray(value["examples"])) return value;
  const examples = (value["examples"] as readonly Json[]).map((example) => {
    if (!isObject(example)) return example;
    const kept: Record<string, Json> = { ...example };
    for (const key of NAMING) {
      const left = namesLeft(member(example, key), gone);
      if (left === undefined) continue;
      if (left.length === 0) delete kept[key];
      else kept[key] = left;
    }
    return kept;
  });
  return { ...value, examples };
}

/** Undefined where nothing is to be forgotten. */
function namesLeft(named: Json | undefined, gone: ReadonlySet<string>): readonly Json[] | undefined {
  const all = named === undefined ? [] : [named].flat();
  const left = all.filter((id) => !gone.has(String(id)));
  return left.length === all.length ? undefined : left;
}

/** Takes the names of rules that go out of an example that also speaks of others. */
function forget(
  lines: string[],
  cut: Set<number>,
  source: Source,
  index: number,
  example: Json,
  gone: ReadonlySet<string>,
): void {
  for (const key of NAMING) {
    const named = member(example, key);
    const left = namesLeft(named, gone);
    if (left === undefined) continue;
    const at = source.locate(["examples", index, key], "key").line! - 1;
    const flow = new RegExp(`\\b${key}(\\s*:\\s*)\\[[^\\]]*\\]`);
    const isFlow = flow.test(lines[at]!);
    if (left.length > 0 && isFlow)
      lines[at] = lines[at]!.replace(
        flow,
        (_, colon: string) => `${key}${colon}[${left.map((id) => yamlScalar(String(id))).join(", ")}]`,
      );
    else {
      if (left.length === 0) cut.add(at);
      const items = isFlow || !Array.isArray(named) ? [] : [...named.keys()];
      for (const item of items.filter((one) => gone.has(String((named as readonly Json[])[one]))))
        for (const line of linesOfItem(lines, source, ["examples", index, key], item, items.length)) cut.add(line);
    }
  }
}

function listAt(source: Source, key: string): readonly Json[] {
  const list = isObject(source.value) ? source.value[key] : undefined;
  return Array.isArray(list) ? list : [];
}

function indicesOf(list: readonly Json[], matches: (item: Json) => boolean): number[] {
  return [...list.keys()].filter((index) => matches(list[index]!));
}

/** The lines of an item of a list in block style, from 0, with the comment right above it and the empty lines below. */
function linesOfItem(
  lines: readonly string[],
  source: Source,
  list: readonly (string | number)[],
  index: number,
  count: number,
): number[] {
  const startOf = (item: number) => source.locate([...list, item]).line! - 1;
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
