/** One case of an eval file, in any of the three generations of the format. */
import { isAbsolute } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { digestJson } from "@spoor/core/canonical/digest";
import type { YamlDocument, YamlPath } from "@spoor/core/read/parse-yaml";
import { isObject, member, setMember, stringMember } from "@spoor/core/trace/json";
import type { ProblemList } from "@spoor/core/yaml/problem-list";
import { contentText } from "../formats/content-text.ts";
import { CASE_KEYS, type Execution, parseExecution, textList, UNSUPPORTED_CASE_KEYS } from "./eval-keys.ts";
import type { EvalCase, EvaluatorList, WorkspaceConfig } from "./eval-suite.ts";
import { type FileFinder, parseInput } from "./parse-input.ts";
import type { InputMessage } from "./providers/provider.ts";

/** What the suite gives to each of its cases. */
export interface CaseDefaults {
  readonly input: readonly InputMessage[];
  /** Used when the case has no evaluators of its own. */
  readonly defaults: readonly EvaluatorList[];
  /** Added to the case's own. */
  readonly appended: readonly EvaluatorList[];
  readonly workspace: Json | undefined;
  readonly prompts: readonly string[];
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
}

export interface CaseContext {
  readonly document: YamlDocument;
  readonly problems: ProblemList;
  readonly findFile: FileFinder;
  readonly resolvePath: (path: string) => string;
}

/** One case, or one per prompt when the suite has several prompts. */
export function parseCase(raw: Json, path: YamlPath, defaults: CaseDefaults, context: CaseContext): EvalCase[] {
  const { problems } = context;
  if (!isObject(raw)) {
    problems.add(path, "a case must be a mapping with an id and an input.");
    return [];
  }
  for (const [key, what] of Object.entries(UNSUPPORTED_CASE_KEYS)) {
    if (member(raw, key) !== undefined)
      problems.add(
        [...path, key],
        `"${key}": ${what} are not supported; as written the case would test something else.`,
        "key",
      );
  }
  problems.checkKeys(raw, path, [...CASE_KEYS, ...Object.keys(UNSUPPORTED_CASE_KEYS)], "the case");
  const id = member(raw, "id");
  const goal = goalOf(raw, path, problems);
  const prompts = defaults.prompts.length <= 1 ? [defaults.prompts[0]] : defaults.prompts;
  const parsed = prompts.map((prompt, index) => {
    const suffix = prompts.length > 1 ? `#${index + 1}` : "";
    return build(raw, path, `${typeof id === "string" ? id : ""}${suffix}`, goal, prompt, defaults, context);
  });
  if (typeof id === "string" && id.trim() !== "") return parsed;
  problems.add(
    id === undefined ? path : [...path, "id"],
    "Skipping incomplete eval case: a case needs an id, a text that is not empty.",
  );
  return [];
}

function build(
  raw: JsonObject,
  path: YamlPath,
  id: string,
  goal: string | undefined,
  prompt: string | undefined,
  defaults: CaseDefaults,
  context: CaseContext,
): EvalCase {
  const { problems, document } = context;
  const execution = parseExecution(member(raw, "execution"), [...path, "execution"], problems);
  const input = [...defaults.input, ...inputOf(raw, path, prompt, context)];
  const evaluators = evaluatorsOf(raw, path, execution, defaults);
  const rawWorkspace = member(raw, "workspace") ?? defaults.workspace;
  const workspacePath = member(raw, "workspace") === undefined ? ["workspace"] : [...path, "workspace"];
  const workspace =
    rawWorkspace === undefined || rawWorkspace === null ? undefined : workspaceOf(rawWorkspace, workspacePath, context);
  const targets = execution.targets ?? textList(raw, "target", path, problems);
  const repeat = execution.repeat ?? defaults.repeat;
  const threshold = execution.threshold ?? defaults.threshold;
  const timeoutMs = execution.timeoutMs ?? defaults.timeoutMs;
  const conversationId = stringMember(raw, "conversation_id");
  const metadata = member(raw, "metadata");
  return {
    id,
    ...(goal === undefined ? {} : { goal }),
    input,
    expectedMessages: expectedOf(raw),
    evaluators,
    ...(targets === undefined ? {} : { targets }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(metadata === undefined ? {} : { metadata }),
    at: document.locate(path),
    digest: digestJson(
      [
        raw,
        input.map(({ role, content }) => ({ role, content })),
        evaluators.map((list) => list.entries),
        rawWorkspace ?? null,
      ],
      16,
    ),
  };
}

function goalOf(raw: JsonObject, path: YamlPath, problems: ProblemList): string | undefined {
  for (const key of ["expected_outcome", "outcome", "criteria"]) {
    const value = member(raw, key);
    if (value === undefined || value === null) continue;
    if (typeof value === "string" && value.trim() !== "") return value;
    problems.add([...path, key], `"${key}" must be a text that is not empty.`);
    return undefined;
  }
  return undefined;
}

function inputOf(raw: JsonObject, path: YamlPath, prompt: string | undefined, context: CaseContext): InputMessage[] {
  const { problems, findFile } = context;
  const vars = member(raw, "vars");
  const key = ["input_messages", "input"].find((name) => Object.hasOwn(raw, name));
  const messages =
    key === undefined ? undefined : parseInput(fillVars(raw[key]!, vars), [...path, key], problems, findFile);
  const fromVars = messages ?? inputOfPrompt(prompt, vars, path, context);
  if (fromVars === undefined) {
    const id = stringMember(raw, "id") ?? "?";
    problems.add(
      path,
      `Skipping incomplete eval case: ${id}. Missing required fields: id, outcome, and/or input_messages (or input).`,
    );
    return [];
  }
  return [...fromVars, ...attachedFiles(raw, path, context)];
}

/** `prompts` with `{{ name }}` from `vars`; a prompt that is one variable takes its value as it is, messages included. */
function inputOfPrompt(
  prompt: string | undefined,
  vars: Json | undefined,
  path: YamlPath,
  context: CaseContext,
): InputMessage[] | undefined {
  if (prompt === undefined) {
    const input = member(vars, "input");
    return input === undefined
      ? undefined
      : parseInput(input, [...path, "vars", "input"], context.problems, context.findFile);
  }
  const whole = WHOLE_VARIABLE.exec(prompt)?.[1];
  if (whole === undefined)
    return parseInput(fillVars(prompt, vars), [...path, "vars"], context.problems, context.findFile);
  const value = member(vars, whole);
  return value === undefined
    ? undefined
    : parseInput(value, [...path, "vars", whole], context.problems, context.findFile);
}

const WHOLE_VARIABLE = /^\s*\{\{\s*([A-Za-z_][\w-]*)\s*\}\}\s*$/;

function fillVars(value: Json, vars: Json | undefined): Json {
  if (!isObject(vars)) return value;
  if (typeof value === "string") {
    return value.replace(/\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g, (found, name: string) => {
      const replacement = member(vars, name);
      return replacement === undefined ? found : contentText(replacement);
    });
  }
  if (Array.isArray(value)) return value.map((item) => fillVars(item, vars));
  if (!isObject(value)) return value;
  const filled: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(filled, key, fillVars(item, vars));
  return filled;
}

function attachedFiles(raw: JsonObject, path: YamlPath, { problems, findFile }: CaseContext): InputMessage[] {
  const names = textList(raw, "input_files", path, problems) ?? [];
  const files = names.flatMap((name) => {
    const found = findFile(name);
    if (found === undefined) problems.add([...path, "input_files"], `the file "${name}" was not found.`);
    return found === undefined ? [] : [found];
  });
  return files.length === 0 ? [] : [{ role: "user", content: names, text: "", files }];
}

/** A text, a mapping or a list without roles is one assistant message. */
function expectedOf(raw: JsonObject): Json[] {
  const expected = member(raw, "expected_messages") ?? member(raw, "expected_output");
  if (expected === undefined || expected === null) return [];
  const hasRoles =
    Array.isArray(expected) &&
    expected.length > 0 &&
    expected.every((message) => typeof member(message, "role") === "string");
  return hasRoles ? [...expected] : [{ role: "assistant", content: expected }];
}

/**
 * Older files: the case's list, else the suite's. Newer files (`assertions`, `assert`): the case's list and then the
 * suite's, unless `skip_defaults`. Inline rubrics come first; a case with nothing at all is for a judge.
 */
function evaluatorsOf(raw: JsonObject, path: YamlPath, execution: Execution, defaults: CaseDefaults): EvaluatorList[] {
  const places: readonly YamlPath[] = [["execution", "evaluators"], ["evaluators"], ["assertions"], ["assert"]];
  const own = places.flatMap((place): EvaluatorList[] => {
    const entries = place.reduce<Json | undefined>((value, key) => member(value, String(key)), raw);
    return entries === undefined || entries === null ? [] : [{ entries, path: [...path, ...place] }];
  });
  const rubrics = member(raw, "rubrics");
  const inline =
    rubrics === undefined
      ? []
      : [{ entries: [{ name: "rubrics", type: "llm_judge", rubrics }], path: [...path, "rubrics"] }];
  const appended = execution.skipDefaults ? [] : defaults.appended;
  const lists = [...inline, ...(own.length > 0 ? own.slice(0, 1) : defaults.defaults), ...appended];
  return lists.length > 0 ? lists : [{ entries: [{ name: "llm_judge", type: "llm_judge" }], path }];
}

const WORKSPACE_KEYS = ["template", "folder", "setup", "teardown", "env", "hooks"];

function workspaceOf(raw: Json, path: YamlPath, context: CaseContext): WorkspaceConfig | undefined {
  const { problems } = context;
  if (typeof raw === "string") return { ...templateOf(raw, path, context), setup: [], teardown: [], env: {} };
  if (!isObject(raw)) {
    problems.add(path, '"workspace" must be a folder or a mapping.');
    return undefined;
  }
  problems.checkKeys(raw, path, WORKSPACE_KEYS, '"workspace"');
  const hooks = member(raw, "hooks");
  problems.checkKeys(hooks ?? null, [...path, "hooks"], ["before_each", "after_each"], '"hooks"');
  const template = stringMember(raw, "template") ?? stringMember(raw, "folder");
  const env: Record<string, string> = {};
  const rawEnv = member(raw, "env");
  if (isObject(rawEnv)) for (const [key, value] of Object.entries(rawEnv)) env[key] = contentText(value);
  else if (rawEnv !== undefined) problems.add([...path, "env"], '"env" must be a mapping.');
  return {
    ...(template === undefined ? {} : templateOf(template, [...path, "template"], context)),
    setup: [...(textList(raw, "setup", path, problems) ?? []), ...commandsOf(hooks, "before_each", path, problems)],
    teardown: [
      ...(textList(raw, "teardown", path, problems) ?? []),
      ...commandsOf(hooks, "after_each", path, problems),
    ],
    env,
  };
}

function commandsOf(hooks: Json | undefined, key: string, path: YamlPath, problems: ProblemList): string[] {
  return isObject(hooks) ? (textList(hooks, key, [...path, "hooks"], problems) ?? []) : [];
}

function templateOf(template: string, path: YamlPath, context: CaseContext): { template?: string } {
  if (isAbsolute(template)) {
    context.problems.add(path, `the workspace folder "${template}" must be relative to the eval file.`);
    return {};
  }
  return { template: context.resolvePath(template) };
}
