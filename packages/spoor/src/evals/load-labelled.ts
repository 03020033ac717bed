/** Cases that people labelled: JSON Lines, or a list in YAML or JSON, each with an answer and what people said of it. */
import { resolve } from "node:path";
import type { Json } from "@spoor/core";
import { type Problem, SpoorError } from "@spoor/core/internal/errors";
import type { EvaluationTask } from "@spoor/core/internal/evaluators/evaluation";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { isObject, member, scalarText, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { mostBytesOf, readText } from "../load/read-text.ts";

export interface LabelledCase {
  readonly id: string;
  readonly answer: string;
  readonly task: EvaluationTask;
  readonly label: boolean;
}

export function loadLabelled(file: string, cwd: string): readonly LabelledCase[] {
  const problems: Problem[] = [];
  const cases = entriesOf(file, cwd, problems).flatMap(({ value, line }, index) => {
    const read = readCase(value, index + 1);
    if (typeof read !== "string") return [read];
    problems.push({ message: read, at: { file, ...(line === undefined ? {} : { line }) } });
    return [];
  });
  if (problems.length === 0 && cases.length > 0) return cases;
  throw new SpoorError(
    "judge.labels",
    `${file} has ${problems.length === 0 ? "no labelled cases" : "cases that cannot be used"}.`,
    {
      at: { file },
      problems,
      consequence: "Nothing was judged.",
      hint: 'Each case is {"id": "…", "question": "…", "answer": "…", "label": "pass" or "fail"}, with criteria and reference_answer where you have them.',
    },
  );
}

interface Entry {
  readonly value: Json;
  readonly line?: number;
}

function entriesOf(file: string, cwd: string, problems: Problem[]): readonly Entry[] {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("input.unreadable", `${file} ${why}.`, { at: { file }, cause });
  const text = readText(resolve(cwd, file), fail, mostBytesOf(file)).replace(/^\uFEFF/, "");
  if (/\.jsonl$/i.test(file)) {
    return text.split("\n").flatMap((line, index): Entry[] => {
      if (line.trim() === "") return [];
      try {
        return [{ value: parseJson(line), line: index + 1 }];
      } catch (error) {
        problems.push({ message: `is not JSON: ${(error as Error).message}`, at: { file, line: index + 1 } });
        return [];
      }
    });
  }
  const { value } = parseYaml(text, file);
  const list = Array.isArray(value) ? value : member(value, "cases");
  return Array.isArray(list) ? (list as readonly Json[]).map((entry) => ({ value: entry })) : [];
}

function readCase(value: Json, number: number): LabelledCase | string {
  if (!isObject(value)) return `case ${number} is no mapping.`;
  const text = (...keys: readonly string[]) =>
    keys.map((key) => stringMember(value, key)).find((found) => found !== undefined);
  const id = text("id", "eval_id") ?? `case ${number}`;
  const answer = text("answer", "candidate_answer", "output");
  if (answer === undefined) return `${id} has no answer.`;
  const label = labelOf(member(value, "label"));
  if (label === undefined) return `${id} has no label that says pass or fail.`;
  const question = text("question", "input");
  const expectedOutcome = text("criteria", "expected_outcome");
  const referenceAnswer = text("reference_answer", "expected_output");
  return {
    id,
    answer,
    label,
    task: {
      id,
      ...(question === undefined ? {} : { question }),
      ...(expectedOutcome === undefined ? {} : { expectedOutcome }),
      ...(referenceAnswer === undefined ? {} : { referenceAnswer }),
    },
  };
}

const YES: readonly Json[] = ["pass", "passed", "yes", "true", "correct", "good", "1"];
const NO: readonly Json[] = ["fail", "failed", "no", "false", "incorrect", "bad", "0"];

function labelOf(value: Json | undefined): boolean | undefined {
  const word = (scalarText(value ?? "") ?? "").trim().toLowerCase();
  return YES.includes(word) ? true : NO.includes(word) ? false : undefined;
}
