/**
 * Keys of a `tool_trajectory` entry, and what is expected by them. What a release silently dropped is a problem here; what
 * one accepted and never looked at is a note.
 */

import { SpoorError } from "../errors.ts";
import { custom, list, oneOf, record } from "../read/collections.ts";
import { ignored, optional, required } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import type { Located } from "../read/located.ts";
import { type Fields, mapping, type ValuesOf } from "../read/mapping.ts";
import { boolean, choice, constant, filledText, integer, json, number, text } from "../read/scalars.ts";
import type { Shape } from "../read/shape.ts";
import type { JsonObject } from "../trace/json.ts";
import { compileArgs } from "../trajectory/args-pattern.ts";
import {
  type ArgsMatch,
  argsMatchWords,
  type ExpectedStep,
  nameMatchWords,
  type ToolCount,
  type TrajectoryMode,
  type TrajectorySpec,
  trajectoryModes,
} from "../trajectory/trajectory.ts";

const nameMatch = choice(nameMatchWords);
const argsMatch = oneOf(choice(argsMatchWords), list(filledText, { min: 1 })) as Shape<ArgsMatch>;

const args = oneOf(
  constant("any"),
  custom(record(json), (expected: JsonObject, at) => {
    const problem = matcherProblem(expected);
    return problem === undefined ? expected : at.problem(`${problem}.`);
  }),
);

const step: Shape<ExpectedStep> = named(
  "step",
  oneOf(
    custom(text, (tool): ExpectedStep => ({ tool })),
    custom(
      mapping(
        "a step",
        {
          tool: required(text, "the name of the tool"),
          args: optional(args, "expected arguments, with matchers; or the word any"),
          argsMatch: optional(argsMatch, "how arguments are compared, or the list of paths that are"),
          argsIgnore: optional(list(text), "arguments that are not compared"),
          argsDefaults: optional(record(json), "what an absent argument stands for"),
          nameMatch: optional(nameMatch, "how the name is compared"),
          status: optional(choice(["ok", "error"]), "how the call must have ended"),
          turn: optional(integer({ min: 1 }), "the turn in which it must stand, from 1"),
          maxDurationMs: optional(number({ min: 0 }), "how long it may take; in_order and exact check it"),
          input: ignored("no release compared it; the arguments are checked with args"),
          output: ignored("no release compared it"),
        },
        { alsoCamelCase: true },
      ),
      ({ turn, ...rest }): ExpectedStep => ({ ...rest, ...(turn === undefined ? {} : { turnIndex: turn - 1 }) }),
    ),
  ),
);

/** Steps in a list share a turn. */
const steps = list(oneOf(step, list(step)));

export const trajectoryFields = {
  mode: required(
    // `strict` is agentevals' word for exact, with exact arguments unless the entry says otherwise.
    choice([...trajectoryModes, "strict"]),
    "how calls are compared with what is expected",
    { alias: "trajectory_match_mode" },
  ),
  expected: optional(steps, "the steps, for every mode but any_order"),
  minimums: optional(record(number({ min: 0 })), "tool → at least so many calls, for any_order"),
  maximums: optional(record(number({ min: 0 })), "tool → at most so many calls, for any_order"),
  argsMatch: optional(argsMatch, "how arguments are compared", { alias: "tool_args_match_mode" }),
  nameMatch: optional(nameMatch, "as tools whichever agent spells them (the default), letter by letter, or as globs"),
  binary: optional(boolean, "all or nothing instead of a share"),
  match: optional(choice(["greedy", "optimal"]), "how in_order aligns"),
  reuse: optional(
    boolean,
    "whether a step of subset allows any number of calls (true) or one; one where the mode is written as trajectory_match_mode, as agentevals has it",
  ),
  extra: optional(choice(["count", "allow"]), "whether exact admits calls after the expected ones"),
} satisfies Fields;

/** What an entry asks for. */
export function makeTrajectory(values: ValuesOf<typeof trajectoryFields>, at: Located): TrajectorySpec | undefined {
  const { mode: word, expected, minimums, maximums, match, extra, reuse, ...rest } = values;
  const mode: TrajectoryMode = word === "strict" ? "exact" : word;
  const before = at.errorCount;
  noteUnused(mode, at);
  if (mode === "any_order" && minimums === undefined && maximums === undefined)
    at.problem("any_order mode requires minimums or maximums.");
  if (mode !== "any_order" && expected === undefined) at.problem(`${mode} mode requires expected.`);
  checkSteps(mode, at.get("expected"));
  if (at.errorCount > before) return undefined;
  const wanted =
    mode === "any_order"
      ? { ...counts("minimums", minimums), ...counts("maximums", maximums) }
      : { expected: flatSteps(expected ?? []) };
  return {
    ...(word === "strict" ? { argsMatch: "exact" as const } : {}),
    ...rest,
    ...wanted,
    mode,
    ...(mode === "in_order" && match !== undefined ? { match } : {}),
    ...(mode === "exact" && extra !== undefined ? { extra } : {}),
    ...(mode === "subset" && !(reuse ?? !hasKeyOfAgentevals(at)) ? { reuse: false } : {}),
  };
}

function hasKeyOfAgentevals(at: Located): boolean {
  return at.get("trajectory_match_mode") !== undefined || at.get("trajectoryMatchMode") !== undefined;
}

function noteUnused(mode: TrajectoryMode, at: Located): void {
  const unused = (key: string, why: string) => {
    if (at.get(key) !== undefined) at.note(`${key} has no effect: ${why}.`, key);
  };
  if (mode !== "in_order") unused("match", "only in_order aligns");
  if (mode !== "subset") unused("reuse", "only subset lets a step allow several calls");
  if (mode !== "exact") unused("extra", "only exact counts calls beyond the expected ones");
  if (mode === "any_order") unused("expected", "any_order reads minimums and maximums");
  else for (const key of ["minimums", "maximums"]) unused(key, `${mode} reads expected`);
}

function checkSteps(mode: TrajectoryMode, expected: Located | undefined): void {
  const checksTimes = mode === "in_order" || mode === "exact";
  for (const item of expected?.items() ?? []) {
    if (Array.isArray(item.value) && mode === "subset")
      item.problem("steps in a list share a turn, which subset cannot ask for.");
    for (const one of Array.isArray(item.value) ? item.items() : [item]) {
      const key = ["max_duration_ms", "maxDurationMs"].find((word) => one.get(word) !== undefined);
      if (key !== undefined && !checksTimes && mode !== "any_order")
        one.note(`${key} has no effect: ${mode} does not check times; in_order and exact do.`, key);
    }
  }
}

function flatSteps(written: readonly (ExpectedStep | readonly ExpectedStep[])[]): ExpectedStep[] {
  return written.flatMap((item, group) =>
    Array.isArray(item) ? item.map((one: ExpectedStep) => ({ ...one, group })) : [item as ExpectedStep],
  );
}

function counts(key: "minimums" | "maximums", written: Readonly<Record<string, number>> | undefined) {
  if (written === undefined) return {};
  return { [key]: Object.entries(written).map(([tool, count]): ToolCount => ({ tool, count })) };
}

/** What is wrong with the matchers inside expected arguments, if anything. */
function matcherProblem(expected: JsonObject): string | undefined {
  try {
    compileArgs(expected);
    return undefined;
  } catch (error) {
    if (error instanceof SpoorError) return error.message.replace(/\.$/, "");
    throw error;
  }
}
