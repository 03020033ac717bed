/** One case of an eval file, in any of the three generations of the format. */
import type { Json } from "@spoor/core";
import { digestJson } from "@spoor/core/internal/canonical/digest";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import type { Located } from "@spoor/core/internal/read/located";
import { extended } from "@spoor/core/internal/trace/extended";
import { isObject, member, setMember } from "@spoor/core/internal/trace/json";
import { contentText } from "../formats/content-text.ts";
import { readConversation } from "./conversation/read-conversation.ts";
import { type CaseValues, caseShape, executionOf } from "./eval-file.ts";
import type { EvalCase, WorkspaceConfig } from "./eval-suite.ts";
import { evaluators } from "./evaluators/evaluators.ts";
import { attachedFiles, type FileFinder, parseInput } from "./parse-input.ts";
import type { InputMessage } from "./providers/provider.ts";
import type { RunLimits } from "./run-limits.ts";
import { readWorkspace } from "./workspace-file.ts";

/** What the suite gives to each of its cases. */
export interface CaseDefaults {
  readonly input: readonly InputMessage[];
  /** Used when the case has no evaluators of its own. */
  readonly defaults: readonly EntryList[];
  /** Added to the case's own. */
  readonly appended: readonly EntryList[];
  readonly workspace: Located | undefined;
  readonly prompts: readonly string[];
  readonly tags: readonly string[];
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
  readonly limits?: RunLimits;
}

export interface CaseContext {
  readonly findFile: FileFinder;
  readonly resolvePath: (path: string) => string;
  /** A workspace that several eval files share, in a file of its own: what it says, and where its paths begin. */
  readonly sharedWorkspace?: (at: Located) => { at: Located; resolvePath: (path: string) => string } | undefined;
  /** Replaces references to the environment; absent where nothing will be run. */
  readonly fill?: (at: Located) => Json;
}

/** A list of evaluators, as written and as read. */
export interface EntryList {
  readonly written: Json;
  readonly configs: readonly EvaluatorConfig[];
}

export function readEntries(at: Located): EntryList {
  return { written: at.value, configs: entryShape.read(at) ?? [] };
}

const entryShape = evaluatorList(evaluators);

/** One case, or one per prompt when the suite has several prompts. */
export function parseCase(at: Located, defaults: CaseDefaults, context: CaseContext): EvalCase[] {
  const values = caseShape.read(at);
  if (values === undefined) return [];
  const prompts = defaults.prompts.length <= 1 ? [defaults.prompts[0]] : defaults.prompts;
  return prompts.map((prompt, index) => {
    const suffix = prompts.length > 1 ? `#${index + 1}` : "";
    return build(at, values, `${values.id}${suffix}`, prompt, defaults, context);
  });
}

function build(
  at: Located,
  values: CaseValues,
  id: string,
  prompt: string | undefined,
  defaults: CaseDefaults,
  context: CaseContext,
): EvalCase {
  const { vars } = values;
  const own = { ...executionOf(values.execution), ...executionOf(values.run) };
  const execution = { ...pick(defaults), ...own };
  const limits = { ...defaults.limits, ...own.limits };
  const written = values.expectedOutcome ?? values.outcome ?? values.criteria;
  const goal = written === undefined ? undefined : (fillVars(written, vars) as string);
  const shared = values.execution?.skipDefaults ? [] : defaults.input.map((message) => fillMessage(message, vars));
  const input = [...shared, ...inputOf(at, values, prompt, context)];
  const conversation = readConversation(
    at,
    extended(values, { opensWithUser: input.at(-1)?.role === "user" }),
    (value) => fillVars(value, vars),
    context.findFile,
  );
  const lists = evaluatorsOf(at, values, defaults, conversation?.lists ?? []);
  const named = values.workspace ?? defaults.workspace;
  const ofFile = named === undefined ? undefined : context.sharedWorkspace?.(named);
  const place = ofFile?.at ?? named;
  const workspace = place === undefined ? undefined : workspaceOf(place, { ...context, ...ofFile });
  const targets = execution.targets ?? values.target;
  const { repeat, threshold, timeoutMs } = execution;
  const { conversationId, metadata, skip, only } = values;
  const tags = [...new Set([...defaults.tags, ...(values.tags ?? [])])];
  return {
    id,
    ...(goal === undefined ? {} : { goal }),
    input,
    expectedMessages: expectedOf(values),
    evaluators: lists.flatMap(({ configs }) => configs),
    ...(targets === undefined ? {} : { targets }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(conversation === undefined ? {} : { conversation: conversation.plan }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(skip === undefined || skip === false ? {} : { skip }),
    ...(only ? { only } : {}),
    at: at.problems.source.locate(at.address),
    digest: digestJson(
      [
        decisive(at.value),
        input.map(({ role, content }) => ({ role, content })),
        lists.map(({ written }) => written),
        place?.value ?? null,
      ],
      16,
    ),
  };
}

/** Whether a case is run, and what it is called for people, changes nothing about a run that was made. */
function decisive(value: Json): Json {
  if (!isObject(value)) return value;
  const { skip: _skip, only: _only, tags: _tags, note: _note, ...rest } = value;
  return rest;
}

function pick({ repeat, threshold, timeoutMs }: CaseDefaults) {
  return {
    ...(repeat === undefined ? {} : { repeat }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function inputOf(at: Located, values: CaseValues, prompt: string | undefined, context: CaseContext): InputMessage[] {
  const { vars } = values;
  const written = values.inputMessages ?? values.input;
  const asked = written?.with(fillVars(written.value, vars)) ?? inputOfPrompt(at, vars, prompt);
  if (asked === undefined) {
    if (values.turns !== undefined || values.simulatedUser !== undefined)
      return attachedFiles(at, values.inputFiles, context.findFile);
    at.problem(`case "${values.id}" needs input (or input_messages): what the agent is asked.`);
    return [];
  }
  return [...parseInput(asked, context.findFile), ...attachedFiles(at, values.inputFiles, context.findFile)];
}

/** `prompts` with `{{ name }}` from `vars`; a prompt that is one variable takes its value as it is, messages included. */
function inputOfPrompt(at: Located, vars: Json | undefined, prompt: string | undefined): Located | undefined {
  if (prompt === undefined) return at.get("vars")?.get("input");
  const whole = WHOLE_VARIABLE.exec(prompt)?.[1];
  return whole === undefined ? (at.get("vars") ?? at).with(fillVars(prompt, vars)) : at.get("vars")?.get(whole);
}

const WHOLE_VARIABLE = /^\s*\{\{\s*([A-Za-z_][\w-]*)\s*\}\}\s*$/;

function fillMessage(message: InputMessage, vars: Json | undefined): InputMessage {
  const { content, text } = message;
  return { ...message, content: fillVars(content, vars), text: fillVars(text, vars) as string };
}

function fillVars(value: Json, vars: Json | undefined): Json {
  if (!isObject(vars)) return value;
  if (typeof value === "string") {
    return value.replace(/\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g, (found, name: string) => {
      const replacement = member(vars, name) ?? name.split(".").reduce<Json | undefined>(member, vars);
      return replacement === undefined ? found : contentText(replacement);
    });
  }
  if (Array.isArray(value)) return value.map((item) => fillVars(item, vars));
  if (!isObject(value)) return value;
  const filled: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(filled, key, fillVars(item, vars));
  return filled;
}

/** A text, a mapping or a list without roles is one assistant message. */
function expectedOf({ expectedMessages, expectedOutput, vars }: CaseValues): Json[] {
  const written = expectedMessages ?? expectedOutput ?? member(vars, "expected_output");
  if (written === undefined) return [];
  const expected = fillVars(written, vars);
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
function evaluatorsOf(
  at: Located,
  values: CaseValues,
  defaults: CaseDefaults,
  ofTurns: readonly EntryList[],
): EntryList[] {
  const { execution, rubrics } = values;
  const own = execution?.evaluators ?? values.evaluators ?? values.assertions ?? values.assert;
  const inline =
    rubrics === undefined
      ? []
      : [readEntries(rubrics.with([{ name: "rubrics", type: "llm_judge", rubrics: rubrics.value }]))];
  const appended = execution?.skipDefaults ? [] : defaults.appended;
  const lists = [...inline, ...(own === undefined ? defaults.defaults : [readEntries(own)]), ...ofTurns, ...appended];
  return lists.length > 0 ? lists : [readEntries(at.with([{ name: "llm_judge", type: "llm_judge" }]))];
}

function workspaceOf(at: Located, context: CaseContext): WorkspaceConfig | undefined {
  const before = at.errorCount;
  const filled = context.fill === undefined ? at : at.with(context.fill(at));
  return at.errorCount > before ? undefined : readWorkspace(at, filled, context);
}
