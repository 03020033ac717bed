/** What a judge is asked: the template with the run filled in as fenced data, and the form of the answer. */
import type { Json, JsonObject } from "@spoor/core";
import type { EvaluationSubject } from "@spoor/core/internal/evaluators/evaluation";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { outputMessages } from "../../formats/write-agentv.ts";
import { FENCE_RULES, fence } from "./fence.ts";
import type { Rubric } from "./rubric.ts";
import type { JudgeQuestion } from "./run-context.ts";

const SYSTEM = `You judge what an AI agent did. ${FENCE_RULES} Answer with one JSON object and nothing else.`;

const DEFAULT_TEMPLATE = `Judge the answer of an agent.

The question it was asked:
{{question}}

What a good answer does:
{{expected_outcome}}

A reference answer, if there is one:
{{reference_answer}}

The answer to judge:
{{candidate_answer}}

The tool calls and messages of the run:
{{output_messages}}`;

const SCORE_FORM = `Answer with JSON: {"score": a number from 0 to 1, "hits": [what is right], "misses": [what is wrong], "reasoning": "one or two sentences"}`;

/** The free question: one score. */
export function scoreQuestion(subject: EvaluationSubject, template: string | undefined): JudgeQuestion {
  return { system: SYSTEM, prompt: `${fillTemplate(template ?? DEFAULT_TEMPLATE, subject)}\n\n${SCORE_FORM}` };
}

/** The checklist: every item is answered by its id. */
export function rubricQuestion(
  subject: EvaluationSubject,
  rubrics: readonly Rubric[],
  template: string | undefined,
): JudgeQuestion {
  const ranged = rubrics.some((rubric) => rubric.ranges !== undefined);
  const items = rubrics.map((rubric) => `- ${rubric.id}: ${rubric.text}${rangesText(rubric)}`).join("\n");
  const form = ranged
    ? `Answer with JSON: {"checks": [{"id": "…", "score": a whole number from 0 to 10, "reasoning": "…"}], "overall_reasoning": "…"}, one entry for every id.`
    : `Answer with JSON: {"checks": [{"id": "…", "satisfied": true or false, "reasoning": "…"}], "overall_reasoning": "…"}, one entry for every id.`;
  const body = fillTemplate(template ?? DEFAULT_TEMPLATE, subject);
  return { system: SYSTEM, prompt: `${body}\n\nThe checklist:\n${items}\n\n${form}` };
}

function rangesText({ ranges }: Rubric): string {
  if (ranges === undefined) return "";
  return ranges.map(({ min, max, text }) => `\n    ${min} to ${max}: ${text}`).join("");
}

/**
 * `{{ name }}` → the fenced piece; names of every release. An unknown name stays as it is written. A template that names
 * nothing at all is a question about the run, so the run follows it.
 */
export function fillTemplate(template: string, subject: EvaluationSubject): string {
  let pieces = 0;
  const filled = template.replace(/\{\{\s*([a-z_]+)\s*\}\}/gi, (whole, name: string) => {
    const piece = pieceOf(name.toLowerCase(), subject);
    if (piece === undefined) return whole;
    pieces++;
    return fence(name.toLowerCase(), piece);
  });
  return pieces > 0 ? filled : `${filled}\n\n${fillTemplate(DEFAULT_TEMPLATE, subject)}`;
}

/** When something happened tells a judge nothing, and would make the same question another one each time. */
function timeless(message: Json): Json {
  const { timestamp: _at, tool_calls: calls, ...rest } = message as JsonObject;
  return { ...rest, ...(Array.isArray(calls) ? { tool_calls: calls.map(timeless) } : {}) };
}

function pieceOf(name: string, subject: EvaluationSubject): string | undefined {
  const { task } = subject;
  switch (name) {
    case "question":
      return task.question ?? "";
    case "expected_outcome":
    case "criteria":
      return task.expectedOutcome ?? "";
    case "reference_answer":
      return task.referenceAnswer ?? "";
    case "candidate_answer":
    case "answer":
      return subject.answer;
    case "input_messages":
    case "input":
      return stringifyJson(task.inputMessages ?? []);
    case "expected_messages":
    case "expected_output":
      return stringifyJson(task.expectedMessages ?? []);
    case "output_messages":
    case "output":
    case "trace":
      return stringifyJson(outputMessages(subject.trace(), { withAsked: false }).map(timeless));
    default:
      return undefined;
  }
}
