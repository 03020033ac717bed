/** The items of a judge's checklist: yes or no, or a score from 0 to 10 with described ranges. */
import type { Json } from "@spoor/core";
import { EntryReader, shown } from "@spoor/core/evaluators/entry-reader";
import type { Check, Outcome } from "@spoor/core/evaluators/evaluation";
import { isObject, member, stringMember } from "@spoor/core/trace/json";

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

export function parseRubrics(entry: EntryReader): Rubric[] | undefined {
  // promptfoo writes its criterion as `value: text`.
  const written = entry.value("rubrics", "rubric_items", "value");
  if (written === undefined) return undefined;
  if (typeof written !== "string" && !Array.isArray(written)) {
    entry.problem(entry.has("rubrics") ? "rubrics" : "value", `takes a text or a list, found ${shown(written)}`);
    return undefined;
  }
  const list = Array.isArray(written) ? (written as readonly Json[]) : [written];
  const rubrics = list.flatMap((raw, index) => parseRubric(raw, index, entry));
  const seen = new Set<string>();
  for (const { id } of rubrics) {
    if (seen.has(id)) entry.problem("rubrics", `the id "${id}" is used twice, so answers could not be told apart`);
    seen.add(id);
  }
  return rubrics;
}

function parseRubric(raw: Json, index: number, entry: EntryReader): Rubric[] {
  const id = `rubric-${index + 1}`;
  if (typeof raw === "string") return [{ id, text: raw, weight: 1, required: true }];
  const path = [...entry.path, "rubrics", index];
  if (!isObject(raw)) {
    entry.problems.add(path, `a rubric of ${entry.title} must be a text or a mapping, found ${shown(raw)}.`);
    return [];
  }
  const item = new EntryReader(raw, path, entry.problems, `rubric ${index + 1} of ${entry.title}`);
  const text = item.string("expected_outcome", "outcome", "criteria", "description", "text");
  const ranges = parseRanges(item);
  const requiredMinScore = item.number(["required_min_score", "min_score"], { min: 0, max: 10 });
  const rubric: Rubric = {
    id: item.string("id") ?? id,
    text: text ?? "",
    weight: item.number("weight") ?? 1,
    required: item.boolean("required") ?? ranges === undefined,
    ...(ranges === undefined ? {} : { ranges }),
    ...(requiredMinScore === undefined ? {} : { requiredMinScore }),
  };
  if (text === undefined && ranges === undefined) item.missing('needs "outcome", what the answer must do');
  item.refuseUnknown();
  return [rubric];
}

/** Whole numbers from 0 to 10 that do not overlap. */
function parseRanges(item: EntryReader): ScoreRange[] | undefined {
  const list = item.list("score_ranges", "scoreRanges");
  if (list === undefined) return undefined;
  const ranges = list.flatMap((raw, index): ScoreRange[] => {
    const bounds = member(raw, "score_range") ?? member(raw, "range");
    const text =
      stringMember(raw, "expected_outcome") ?? stringMember(raw, "outcome") ?? stringMember(raw, "description");
    const [min, max] = Array.isArray(bounds) ? bounds : [undefined, undefined];
    if (isGrade(min) && isGrade(max) && min <= max && text !== undefined) return [{ min, max, text }];
    item.problem(
      "score_ranges",
      `range ${index + 1} needs "score_range: [from, to]", whole numbers from 0 to 10, and "outcome"`,
    );
    return [];
  });
  const sorted = ranges.toSorted((left, right) => left.min - right.min);
  if (sorted.some((range, index) => index > 0 && range.min <= sorted[index - 1]!.max)) {
    item.problem("score_ranges", "the ranges overlap");
  }
  return ranges;
}

function isGrade(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10;
}

/** The judge's answers as an outcome, or what is missing in them. An item without an answer never counts as satisfied. */
export function scoreRubrics(rubrics: readonly Rubric[], answer: Json): Outcome | string {
  const list = member(answer, "checks");
  if (!Array.isArray(list)) return 'the answer has no list "checks"';
  const byId = new Map((list as readonly Json[]).map((check) => [stringMember(check, "id"), check]));
  const unanswered = rubrics.filter((rubric) => gradeOf(rubric, byId.get(rubric.id)) === undefined);
  if (unanswered.length > 0) return `no usable answer for ${unanswered.map((rubric) => rubric.id).join(", ")}`;
  let weight = 0;
  let reached = 0;
  let forceFail = false;
  const checks: Check[] = rubrics.map((rubric) => {
    const grade = gradeOf(rubric, byId.get(rubric.id))!;
    weight += rubric.weight;
    reached += (rubric.weight * grade) / 10;
    const line = rubric.requiredMinScore ?? (rubric.required ? 10 : 0);
    if (grade < line) forceFail = true;
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
    ...(forceFail ? { forceFail: true as const } : {}),
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
