/** The items of a judge's checklist: yes or no, or a score from 0 to 10 with described ranges. */

import type { Json } from "@spoor/core";
import type { Check, Outcome } from "@spoor/core/internal/evaluators/evaluation";
import { custom, list, oneOf, oneOrMany } from "@spoor/core/internal/read/collections";
import { optional, preset, required } from "@spoor/core/internal/read/field";
import type { Located } from "@spoor/core/internal/read/located";
import { mapping } from "@spoor/core/internal/read/mapping";
import { boolean, choice, integer, number, text } from "@spoor/core/internal/read/scalars";
import { member, stringMember } from "@spoor/core/internal/trace/json";

export interface Rubric {
  readonly id: string;
  readonly text: string;
  readonly weight: number;
  readonly required: boolean;
  /** A described scale; without it the item is answered with yes or no. */
  readonly ranges?: readonly ScoreRange[];
  /** On the scale of 0 to 10: below it the evaluator fails. */
  readonly requiredMinScore?: number;
}

export interface ScoreRange {
  readonly min: number;
  readonly max: number;
  readonly text: string;
}

const HIT_FROM = 7;

const range = custom(
  mapping("a range", {
    scoreRange: required(list(integer({ min: 0, max: 10 })), "[from, to], whole numbers from 0 to 10", {
      alias: "range",
    }),
    text: required(text, "what such an answer is like", {
      key: "outcome",
      alias: ["expected_outcome", "description"],
    }),
  }),
  ({ scoreRange: [min, max, more], text: words }, at): ScoreRange | undefined =>
    min === undefined || max === undefined || more !== undefined || min > max
      ? at.problem("a range goes from a lower to a higher score: [from, to].")
      : { min, max, text: words },
);

const ranges = custom(list(range), (written, at): readonly ScoreRange[] | undefined => {
  const sorted = written.toSorted((left, right) => left.min - right.min);
  const overlap = sorted.some(({ min }, index) => index > 0 && min <= sorted[index - 1]!.max);
  return overlap ? at.problem("the ranges overlap.") : written;
});

const rubric = oneOf(
  custom(text, (words, at): Rubric => ({ id: defaultId(at), text: words, weight: 1, required: true })),
  custom(
    mapping(
      "a rubric",
      {
        id: optional(text, "what the judge's answer refers to"),
        text: optional(text, "what the answer must do", {
          key: "outcome",
          alias: ["expected_outcome", "criteria", "description", "text"],
        }),
        weight: preset(number({ min: 0 }), 1, "its share in the score"),
        required: optional(boolean, "without it the evaluator fails; true unless there are ranges"),
        ranges: optional(ranges, "a described scale from 0 to 10", { key: "score_ranges" }),
        requiredMinScore: optional(number({ min: 0, max: 10 }), "below it, from 0 to 10, the evaluator fails"),
        minScore: optional(number({ min: 0, max: 1 }), "the same from 0 to 1"),
        operator: optional(
          choice(["correctness", "contradiction"]),
          "contradiction: the answer must not contradict it",
        ),
      },
      { alsoCamelCase: true, atLeastOne: [["text", "ranges"]] },
    ),
    ({ id, text: words = "", required: needed, operator, minScore, requiredMinScore, ...rest }, at): Rubric => ({
      ...rest,
      ...minimumOf(requiredMinScore, minScore),
      id: id ?? defaultId(at),
      text: operator === "contradiction" ? `Nothing in the answer contradicts this: ${words}` : words,
      required: needed ?? rest.ranges === undefined,
    }),
  ),
);

function minimumOf(ofTen: number | undefined, ofOne: number | undefined): Pick<Rubric, "requiredMinScore"> {
  const line = ofTen ?? (ofOne === undefined ? undefined : ofOne * 10);
  return line === undefined ? {} : { requiredMinScore: line };
}

function defaultId(at: Located): string {
  const index = at.address.at(-1);
  return `rubric-${typeof index === "number" ? index + 1 : 1}`;
}

/** A checklist: one item, or a list of them. */
export const rubricList = custom(oneOrMany(rubric), (rubrics, at) => {
  const seen = new Set<string>();
  for (const { id } of rubrics) {
    if (seen.has(id)) at.problem(`the id "${id}" is used twice, so answers could not be told apart.`);
    seen.add(id);
  }
  return rubrics;
});

function isGrade(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10;
}

/** The judge's answers as an outcome, or what is missing in them. An item without an answer never counts as satisfied. */
export function scoreRubrics(rubrics: readonly Rubric[], answer: Json): Outcome | string {
  const list = member(answer, "checks");
  if (!Array.isArray(list)) return 'the answer has no list "checks"';
  const byId = new Map((list as readonly Json[]).map((check) => [stringMember(check, "id"), check]));
  const twice = rubrics.filter(({ id }) => list.filter((check) => stringMember(check as Json, "id") === id).length > 1);
  if (twice.length > 0) return `more than one answer for ${twice.map((rubric) => rubric.id).join(", ")}`;
  const unanswered = rubrics.filter((rubric) => gradeOf(rubric, byId.get(rubric.id)) === undefined);
  if (unanswered.length > 0) return `no usable answer for ${unanswered.map((rubric) => rubric.id).join(", ")}`;
  let weight = 0;
  let reached = 0;
  let ruledOut = false;
  const checks: Check[] = rubrics.map((rubric) => {
    const grade = gradeOf(rubric, byId.get(rubric.id))!;
    weight += rubric.weight;
    reached += (rubric.weight * grade) / 10;
    const line = rubric.requiredMinScore ?? (rubric.required ? 10 : 0);
    if (grade < line) ruledOut = true;
    const why = stringMember(byId.get(rubric.id), "reasoning");
    const passed = grade >= (rubric.ranges === undefined ? 10 : HIT_FROM);
    const score = rubric.ranges === undefined ? "" : ` (${grade} of 10)`;
    return { passed, text: `[${rubric.id}] ${rubric.text || "score"}${score}${why === undefined ? "" : `: ${why}`}` };
  });
  const reasoning = stringMember(answer, "overall_reasoning");
  return {
    score: weight === 0 ? 0 : reached / weight,
    aspects: rubrics.length,
    checks,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(ruledOut ? { ruledOut: true as const } : {}),
  };
}

/** 0 to 10; yes is 10 and no is 0. */
function gradeOf(rubric: Rubric, check: Json | undefined): number | undefined {
  if (rubric.ranges !== undefined) {
    const score = member(check, "score");
    return isGrade(score) ? score : undefined;
  }
  const satisfied = member(check, "satisfied");
  if (typeof satisfied === "boolean") return satisfied ? 10 : 0;
  return undefined;
}
