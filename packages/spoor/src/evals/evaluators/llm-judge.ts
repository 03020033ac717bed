/**
 * llm_judge: a model scores the run, freely or by a checklist. It gets three attempts to answer in the asked form; a judge
 * that cannot be reached or does not answer is a failure with its reason, never a pass.
 */

import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { defineEvaluator } from "@spoor/core/internal/evaluators/define-evaluator";
import type { Check, EvaluationSubject, Outcome } from "@spoor/core/internal/evaluators/evaluation";
import { NotEvaluatedError } from "@spoor/core/internal/evaluators/run-evaluators";
import { list, oneOf } from "@spoor/core/internal/read/collections";
import { ignored, optional } from "@spoor/core/internal/read/field";
import { mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { text } from "@spoor/core/internal/read/scalars";
import { member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { runProcess } from "../run-process.ts";
import { askJudge } from "./ask-judge.ts";
import { codeInput } from "./code-evaluator.ts";
import { rubricQuestion, scoreQuestion } from "./judge-prompt.ts";
import { rubricList, scoreRubrics } from "./rubric.ts";
import type { EvaluatorRunContext, Judge, JudgeQuestion } from "./run-context.ts";

const words = list(text, { min: 1 });
const prompt = oneOf(
  text,
  mapping(
    "prompt",
    {
      script: optional(words, "a command that writes the prompt"),
      command: optional(words, "another word for script"),
    },
    { exactlyOne: [["script", "command"]] },
  ),
);

const fields = {
  prompt: optional(prompt, "the question: a text, a file, or {script: [words of a command]}"),
  // promptfoo writes its criterion as `value: text`.
  rubrics: optional(rubricList, "a checklist", { alias: ["rubric_items", "criteria", "value"] }),
  target: optional(text, "the judge, when there are several", { alias: ["judge_target", "grader_target"] }),
  model: ignored("the judge is chosen by target and the settings of the run"),
  temperature: ignored("the judge is asked with temperature 0"),
  maxSteps: ignored("the judge answers in one step"),
  preprocessors: ignored("the run is shown as it is"),
  config: ignored("a judge has no settings of its own"),
};
type JudgeParams = ValuesOf<typeof fields>;

export const llmJudge = defineEvaluator<typeof fields, JudgeParams, EvaluatorRunContext>({
  type: "llm_judge",
  aliases: ["llm_grader", "llm_rubric", "rubric", "rubrics", "g_eval"],
  summary: "a model scores the answer and the run, freely or by a checklist",
  fields,
  async evaluate(subject, params, context) {
    const judge = context.judge(params.target);
    if (judge === undefined) throw noJudge(params.target, context);
    const template = await promptOf(subject, params, context);
    if (params.rubrics !== undefined) {
      const rubrics = params.rubrics;
      const question = rubricQuestion(subject, rubrics, template);
      return ask(judge, question, context, (answer) => scoreRubrics(rubrics, answer));
    }
    return ask(judge, scoreQuestion(subject, template), context, parseScore);
  },
});

function noJudge(name: string | undefined, context: EvaluatorRunContext): Error {
  if (context.withoutJudge) return new NotEvaluatedError("no judge is configured");
  return new SpoorError(
    "judge.missing",
    `No judge is configured${name === undefined ? "" : ` under the name "${name}"`}.`,
    {
      hint: "Name one with --judge, or leave judges out with --no-judge.",
    },
  );
}

/** A prompt that looks like a file is read; one that names a missing file is an error, not a strange question. */
async function promptOf(
  subject: EvaluationSubject,
  params: JudgeParams,
  context: EvaluatorRunContext,
): Promise<string | undefined> {
  const { prompt } = params;
  if (typeof prompt === "object") return runPromptScript((prompt.script ?? prompt.command)!, subject, context);
  if (prompt === undefined || prompt.includes("\n") || prompt.length > 500) return prompt;
  const path = resolve(context.folder, prompt.replace(/^file:(\/\/)?/, ""));
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile) return readFile(path, "utf8");
  if (!/^file:|^\.{0,2}\/|\.(md|txt|j2|prompt)$/.test(prompt)) return prompt;
  throw new SpoorError("judge.no-prompt", `The prompt file ${prompt} does not exist.`, { at: { file: path } });
}

async function runPromptScript(
  words: readonly string[],
  subject: EvaluationSubject,
  context: EvaluatorRunContext,
): Promise<string> {
  const { folder, env, signal } = context;
  const input = `${stringifyJson(codeInput(subject, {}))}\n`;
  const { exitCode, stdout, stderr } = await runProcess(words, { cwd: folder, env, signal, input });
  if (exitCode === 0) return stdout;
  throw new SpoorError(
    "judge.prompt-script",
    `The prompt script failed (exit code ${exitCode}): ${stderr.trim().slice(-500)}`,
  );
}

async function ask(
  judge: Judge,
  question: JudgeQuestion,
  { signal }: EvaluatorRunContext,
  read: (answer: JsonObject) => Outcome | string,
): Promise<Outcome> {
  const asked = await askJudge(judge, question, signal, read);
  const details = { judge: judge.name, attempts: asked.attempts };
  if ("value" in asked) return { ...asked.value, details };
  const text = `The judge gave no usable answer in ${asked.attempts} attempts: ${asked.complaint}`;
  return { score: 0, aspects: 1, checks: [{ passed: false, text }], noData: true, details };
}

function parseScore(answer: JsonObject): Outcome | string {
  const score = numberMember(answer, "score");
  if (score === undefined) return 'it has no number "score"';
  const checks: Check[] = [
    ...texts(answer, "hits").map((text) => ({ passed: true, text })),
    ...texts(answer, "misses").map((text) => ({ passed: false, text })),
  ];
  const reasoning = stringMember(answer, "reasoning");
  return {
    score: Math.min(1, Math.max(0, score)),
    aspects: Math.max(1, checks.length),
    checks,
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function texts(answer: JsonObject, key: string): string[] {
  const list = member(answer, key);
  return Array.isArray(list)
    ? (list as readonly Json[]).filter((item): item is string => typeof item === "string")
    : [];
}
