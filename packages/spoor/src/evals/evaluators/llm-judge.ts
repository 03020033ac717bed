/**
 * llm_judge: a model, or several that vote, score the run, freely or by a checklist. Each gets three attempts to answer in the asked
 * form; where one cannot be reached or gives no usable answer the run could not be judged, which is never a pass.
 */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { defineEvaluator } from "@spoor/core/internal/evaluators/define-evaluator";
import type { Check, EvaluationSubject, Outcome } from "@spoor/core/internal/evaluators/evaluation";
import { NotEvaluatedError } from "@spoor/core/internal/evaluators/run-evaluators";
import { list, oneOf, oneOrMany } from "@spoor/core/internal/read/collections";
import { ignored, optional, preset } from "@spoor/core/internal/read/field";
import { mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { choice, text } from "@spoor/core/internal/read/scalars";
import { member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { readWholeText } from "../../load/read-text.ts";
import { findProjectRoot, isReallyInside } from "../project-root.ts";
import { runProcess } from "../run-process.ts";
import { askJudge, scoreOf } from "./ask-judge.ts";
import { codeInput } from "./code-evaluator.ts";
import { rubricQuestion, scoreQuestion } from "./judge-prompt.ts";
import { type Ballot, countVotes, votes } from "./panel.ts";
import { rubricList, scoreRubrics } from "./rubric.ts";
import type { EvaluatorRunContext, Judge, JudgeContext, JudgeQuestion } from "./run-context.ts";

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
  target: optional(oneOrMany(text, { min: 1 }), "the target that judges, or several that vote", {
    alias: ["judge_target", "grader_target", "judges"],
  }),
  vote: preset(choice(votes), "majority", "how several judges agree: more than half, the mean of their scores, or all"),
  model: ignored("the judge is chosen by target and the settings of the run"),
  temperature: ignored("it is a setting of the judge, where that is named"),
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
  async evaluate(subject, params, context, passLine) {
    const judges = judgesOf(params.target, context);
    const template = await promptOf(subject, params, context);
    if (params.rubrics !== undefined) {
      const rubrics = params.rubrics;
      const question = rubricQuestion(subject, rubrics, template);
      const ballots = await askAll(judges, question, context, (answer) => scoreRubrics(rubrics, answer));
      return countVotes(ballots, params.vote, passLine);
    }
    const ballots = await askAll(judges, scoreQuestion(subject, template), context, parseScore);
    return countVotes(ballots, params.vote, passLine);
  },
});

function judgesOf(names: readonly string[] | undefined, context: EvaluatorRunContext): readonly Judge[] {
  return (names ?? [undefined]).flatMap((name) => {
    const judges = context.judges(name);
    if (judges.length === 0) throw noJudge(name, context);
    return judges;
  });
}

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
  if (isFile && !isReallyInside(path, findProjectRoot(context.folder)))
    throw new SpoorError("judge.no-prompt", `The prompt file ${prompt} lies outside of the project.`, {
      at: { file: path },
    });
  if (isFile) return readWholeText(path);
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

/** The same model twice is two opinions, so each place in the panel is a sample of its own. */
async function askAll(
  judges: readonly Judge[],
  question: JudgeQuestion,
  context: EvaluatorRunContext,
  read: (answer: JsonObject) => Outcome | string,
): Promise<Ballot[]> {
  const sampleOf = (place: number) => `${context.sample ?? ""}${place === 0 ? "" : `, judge ${place + 1}`}`;
  return Promise.all(judges.map((judge, place) => ask(judge, question, { ...context, sample: sampleOf(place) }, read)));
}

async function ask(
  judge: Judge,
  question: JudgeQuestion,
  context: JudgeContext,
  read: (answer: JsonObject) => Outcome | string,
): Promise<Ballot> {
  const asked = await askJudge(judge, question, context, read);
  if ("value" in asked) return { judge: judge.name, outcome: asked.value, attempts: asked.attempts };
  throw new SpoorError(
    "judge.bad-answer",
    `The judge, ${judge.name}, gave no usable answer in ${asked.attempts} attempts: ${asked.complaint}.`,
  );
}

/** A score on another scale is no score: 3 of 10 would pass for 1. */
function parseScore(answer: JsonObject): Outcome | string {
  const score = scoreOf(answer);
  if (typeof score === "string") return score;
  const checks: Check[] = [
    ...texts(answer, "hits").map((text) => ({ passed: true, text })),
    ...texts(answer, "misses").map((text) => ({ passed: false, text })),
  ];
  const reasoning = stringMember(answer, "reasoning");
  return {
    score,
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
