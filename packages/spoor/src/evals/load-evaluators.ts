/**
 * A file with evaluators → what `spoor score` runs. It may be a plain list of entries, a mapping with such a list (and a
 * `judge`), a whole eval file in any dialect, or an ADK eval set. Every problem of the file is reported at once.
 */

import { dirname, resolve } from "node:path";
import { type Problem, SpoorError } from "@spoor/core/internal/errors";
import type { EvaluationTask, EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { type Located, Problems } from "@spoor/core/internal/read/located";
import { parseJsonSource } from "@spoor/core/internal/read/parse-json-source";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { member } from "@spoor/core/internal/trace/json";
import { mostBytesOf, readText } from "../load/read-text.ts";
import { isAdkEvalSet, parseAdkEvalSet } from "./adk-eval-set.ts";
import { CASE_LISTS } from "./eval-file.ts";
import type { EvalCase } from "./eval-suite.ts";
import type { HttpJudgeSettings } from "./evaluators/http-judge.ts";
import { judgeSettings, judgesShape } from "./evaluators/judge-options.ts";
import { type EvaluatorsMapping, evaluatorsFile } from "./evaluators-file.ts";
import { type Environment, interpolate } from "./interpolate.ts";
import { requireKnownEvaluators } from "./known-starts.ts";
import { loadEvalFile } from "./load-eval-files.ts";

export interface EvaluatorsFile {
  readonly file: string;
  /** Commands and prompts of its evaluators start here. */
  readonly folder: string;
  /** A file without cases has one without an id, which is for every trace. */
  readonly cases: readonly EvaluatorCase[];
  /** Several vote. */
  readonly judges?: readonly HttpJudgeSettings[];
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

export function loadEvaluators(file: string, options: LoadEvaluatorsOptions): EvaluatorsFile {
  const path = resolve(options.cwd, file);
  const folder = dirname(path);
  if (/\.jsonl$/i.test(file)) return { ...loadCases(file, options), folder };
  const text = textOf(path, file);
  const source = /\.json$/i.test(file)
    ? parseJsonSource(text, file, { code: "evaluators.not-json", consequence: CONSEQUENCE })
    : parseYaml(text, file);
  const { value } = source;
  if (isAdkEvalSet(value)) return { file, folder, ...parseAdk(source, options) };
  if (CASE_LISTS.some((key) => member(value, key) !== undefined)) return { ...loadCases(file, options), folder };
  const list = parseList(source, options);
  requireKnownEvaluators(file, options.cwd, listedIn(list.cases), member(value, "judge"));
  return { file, folder, ...list };
}

function listedIn(cases: readonly Pick<EvaluatorCase, "evaluators">[]): readonly EvaluatorConfig[] {
  return cases.flatMap(({ evaluators }) => evaluators);
}

function textOf(path: string, file: string): string {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("evaluators.unreadable", `${file} ${why}.`, { at: { file }, consequence: CONSEQUENCE, cause });
  return readText(path, fail, mostBytesOf(path));
}

type Parsed = Omit<EvaluatorsFile, "file" | "folder">;

function parseAdk(source: Source, options: LoadEvaluatorsOptions): Parsed {
  const problems = new Problems(source);
  const cases = parseAdkEvalSet(problems.root());
  return { cases, diagnostics: finish(problems, options) };
}

function loadCases(file: string, { cwd, strict }: LoadEvaluatorsOptions): Omit<EvaluatorsFile, "folder"> {
  const suite = loadEvalFile(file, { cwd, strict });
  requireKnownEvaluators(file, cwd, listedIn(suite.cases));
  return {
    file,
    diagnostics: suite.diagnostics,
    cases: suite.cases.map((evalCase) => ({
      id: evalCase.id,
      evaluators: evalCase.evaluators,
      task: taskOf(evalCase),
      ...(evalCase.threshold === undefined ? {} : { passLine: evalCase.threshold }),
    })),
  };
}

/** What a case says about itself, for judges and commands. */
export function taskOf({ id, goal, input, expectedMessages, conversation }: EvalCase): EvaluationTask {
  const question = input.filter(({ role }) => role === "user").map(({ text }) => text);
  const reference = expectedMessages.findLast((message) => member(message, "role") === "assistant");
  const answer = member(reference, "content");
  return {
    id,
    ...(question.length === 0 ? {} : { question: question.join("\n") }),
    ...(conversation === undefined ? {} : { conversation: true as const }),
    ...(goal === undefined ? {} : { expectedOutcome: goal }),
    ...(typeof answer === "string" ? { referenceAnswer: answer } : {}),
    inputMessages: input.map(({ role, content }) => ({ role, content })),
    expectedMessages,
  };
}

function parseList(source: Source, options: LoadEvaluatorsOptions): Parsed {
  const problems = new Problems(source);
  const root = problems.root();
  const read = evaluatorsFile.read(root);
  const own = (Array.isArray(read) ? {} : (read ?? {})) as EvaluatorsMapping;
  const judges = own.judge === undefined ? undefined : readJudges(own.judge, options);
  const diagnostics = finish(problems, options);
  const listed = Array.isArray(read)
    ? (read as readonly EvaluatorConfig[])
    : (own.evaluators ?? own.assertions ?? own.assert ?? own.execution?.evaluators ?? []);
  return {
    cases: [{ evaluators: listed, task: {}, ...(own.threshold === undefined ? {} : { passLine: own.threshold }) }],
    diagnostics,
    ...(judges === undefined ? {} : { judges }),
  };
}

function readJudges(at: Located, { env }: LoadEvaluatorsOptions): readonly HttpJudgeSettings[] | undefined {
  return judgesShape.read(at.with(interpolate(at, env, [])))?.map((settings) => judgeSettings(settings, env));
}

function finish(problems: Problems, { strict }: LoadEvaluatorsOptions): readonly Problem[] {
  problems.throwIfAny("evaluators.invalid", CONSEQUENCE, { strict });
  return problems.notes;
}
