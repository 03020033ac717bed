/**
 * A file with evaluators → what `spoor score` runs. It may be a plain list of entries, a mapping with such a list (and a
 * `judge`), a whole eval file in any dialect, or an ADK eval set. Every problem of the file is reported at once.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { type Problem, SpoorError } from "@spoor/core/errors";
import { EntryReader } from "@spoor/core/evaluators/entry-reader";
import type { EvaluationTask, EvaluatorConfig } from "@spoor/core/evaluators/evaluation";
import { formatPath, parseYaml, type YamlDocument } from "@spoor/core/read/parse-yaml";
import { isObject, member } from "@spoor/core/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/trace/parse-json";
import { ProblemList } from "@spoor/core/yaml/problem-list";
import { isAdkEvalSet, parseAdkEvalSet } from "./adk-eval-set.ts";
import { CASE_LISTS } from "./eval-keys.ts";
import type { EvalCase } from "./eval-suite.ts";
import type { HttpJudgeSettings } from "./evaluators/http-judge.ts";
import { parseJudgeSettings } from "./evaluators/judge-options.ts";
import { type Environment, interpolate } from "./interpolate.ts";
import { loadEvalFile } from "./load-eval-files.ts";
import { parseEvaluators } from "./parse-evaluators.ts";

export interface EvaluatorsFile {
  readonly file: string;
  /** Commands and prompts of its evaluators start here. */
  readonly folder: string;
  /** A file without cases has one without an id, which is for every trace. */
  readonly cases: readonly EvaluatorCase[];
  readonly judge?: HttpJudgeSettings;
  /** What is accepted and has no effect; errors under `--strict`. */
  readonly diagnostics: readonly Problem[];
}

export interface EvaluatorCase {
  readonly id?: string;
  readonly evaluators: readonly EvaluatorConfig[];
  readonly task: EvaluationTask;
  readonly passLine?: number;
}

export interface LoadEvaluatorsOptions {
  readonly cwd: string;
  readonly strict: boolean;
  readonly env: Environment;
}

const CONSEQUENCE = "Nothing was scored.";
const LIST_KEYS = ["evaluators", "assertions", "assert"] as const;

export function loadEvaluators(file: string, options: LoadEvaluatorsOptions): EvaluatorsFile {
  const path = resolve(options.cwd, file);
  const folder = dirname(path);
  if (/\.jsonl$/i.test(file)) return { ...loadCases(file, options), folder };
  const text = readText(path, file);
  const document = /\.json$/i.test(file) ? parseJsonDocument(text, file) : parseYaml(text, file);
  const { value } = document;
  if (isAdkEvalSet(value)) return { file, folder, ...parseAdk(document, options) };
  if (CASE_LISTS.some((key) => member(value, key) !== undefined)) return { ...loadCases(file, options), folder };
  return { file, folder, ...parseList(document, options) };
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "does not exist"
        : code === "EISDIR"
          ? "is a folder, not a file"
          : `cannot be read: ${message}`;
    throw new SpoorError("evaluators.unreadable", `${file} ${why}.`, { at: { file }, consequence: CONSEQUENCE });
  }
}

/** JSON has no limit of size here and no positions: problems are placed by their path. */
function parseJsonDocument(text: string, file: string): YamlDocument {
  try {
    return { file, value: parseJson(text), locate: (path) => ({ file, path: formatPath(path) }), excerpt: () => "" };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const before = text.slice(0, error.offset).split("\n");
    const at = { file, line: before.length, column: before.at(-1)!.length + 1 };
    throw new SpoorError(
      "evaluators.not-json",
      `${file}:${at.line}:${at.column} is not valid JSON: ${error.message}.`,
      {
        at,
        excerpt: text.split("\n")[at.line - 1] ?? "",
        consequence: CONSEQUENCE,
      },
    );
  }
}

type Parsed = Omit<EvaluatorsFile, "file" | "folder">;

function parseAdk(document: YamlDocument, options: LoadEvaluatorsOptions): Parsed {
  const problems = new ProblemList(document);
  const cases = parseAdkEvalSet(document.value, problems);
  return { cases, diagnostics: finish(problems, options) };
}

function loadCases(file: string, { cwd, strict }: LoadEvaluatorsOptions): Omit<EvaluatorsFile, "folder"> {
  const parsed = new Map<string, EvaluatorConfig[]>();
  const suite = loadEvalFile(file, {
    cwd,
    strict,
    checkEvaluators: (loaded, problems) => {
      for (const evalCase of loaded.cases) parsed.set(evalCase.id, evaluatorsOf(evalCase, problems));
    },
  });
  return {
    file,
    diagnostics: suite.diagnostics,
    cases: suite.cases.map((evalCase) => ({
      id: evalCase.id,
      evaluators: parsed.get(evalCase.id) ?? [],
      task: taskOf(evalCase),
      ...(evalCase.threshold === undefined ? {} : { passLine: evalCase.threshold }),
    })),
  };
}

/** The evaluators of a case of an eval file, from all its lists. */
export function evaluatorsOf(evalCase: EvalCase, problems: ProblemList): EvaluatorConfig[] {
  return evalCase.evaluators.flatMap(({ entries, path }) => parseEvaluators(entries, { problems, path }));
}

/** What a case says about itself, for judges and commands. */
export function taskOf({ id, goal, input, expectedMessages }: EvalCase): EvaluationTask {
  const question = input.filter(({ role }) => role === "user").map(({ text }) => text);
  const reference = expectedMessages.findLast((message) => member(message, "role") === "assistant");
  const answer = member(reference, "content");
  return {
    id,
    ...(question.length === 0 ? {} : { question: question.join("\n") }),
    ...(goal === undefined ? {} : { expectedOutcome: goal }),
    ...(typeof answer === "string" ? { referenceAnswer: answer } : {}),
    inputMessages: input.map(({ role, content }) => ({ role, content })),
    expectedMessages,
  };
}

function parseList(document: YamlDocument, options: LoadEvaluatorsOptions): Parsed {
  const problems = new ProblemList(document);
  const { value } = document;
  if (Array.isArray(value)) {
    const evaluators = parseEvaluators(value as Json, { problems, path: [] });
    if (value.length === 0) problems.add([], "there is no evaluator in the list.");
    return { cases: [{ evaluators, task: {} }], diagnostics: finish(problems, options) };
  }
  if (!isObject(value)) {
    problems.add(
      [],
      'an evaluators file is a list of entries, a mapping with "evaluators", an eval file or an ADK eval set.',
    );
    return { cases: [], diagnostics: finish(problems, options) };
  }
  const root = new EntryReader(value, [], problems, "the evaluators file");
  for (const key of ["name", "description", "version", "$schema"]) root.value(key);
  const key = LIST_KEYS.find((candidate) => root.has(candidate));
  const execution = root.mapping("execution");
  const list = root.value(...LIST_KEYS) ?? member(execution, "evaluators");
  const passLine = root.number("threshold", { above: 0, max: 1 });
  const judgeEntry = root.nested("judge", "the judge");
  const judge = judgeEntry === undefined ? undefined : parseJudge(judgeEntry, problems, options);
  root.refuseUnknown();
  if (list === undefined) root.missing('needs "evaluators", a list of entries');
  const path = key === undefined ? ["execution", "evaluators"] : [key];
  const evaluators = list === undefined ? [] : parseEvaluators(list, { problems, path });
  if (Array.isArray(list) && list.length === 0) problems.add(path, "there is no evaluator in the list.");
  return {
    cases: [{ evaluators, task: {}, ...(passLine === undefined ? {} : { passLine }) }],
    diagnostics: finish(problems, options),
    ...(judge === undefined ? {} : { judge }),
  };
}

function parseJudge(
  entry: EntryReader,
  problems: ProblemList,
  { env }: LoadEvaluatorsOptions,
): HttpJudgeSettings | undefined {
  const filled = interpolate(entry.raw, entry.path, env, problems, []);
  return isObject(filled)
    ? parseJudgeSettings(new EntryReader(filled, entry.path, problems, entry.title), env)
    : undefined;
}

function finish(problems: ProblemList, { strict }: LoadEvaluatorsOptions): readonly Problem[] {
  if (strict) problems.problems.push(...problems.diagnostics);
  problems.throwIfAny("evaluators.invalid", CONSEQUENCE);
  return problems.diagnostics;
}
