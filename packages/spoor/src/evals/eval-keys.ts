/** The keys of eval files over three generations of the format, and the members that suites and cases share. */
import type { Json, JsonObject } from "@spoor/core";
import type { YamlPath } from "@spoor/core/read/parse-yaml";
import { isObject, member } from "@spoor/core/trace/json";
import type { ProblemList } from "@spoor/core/yaml/problem-list";

export const CASE_LISTS = ["evalcases", "eval_cases", "cases", "tests"] as const;

/** Words about the file itself; they never decide a result. */
const DESCRIPTIVE = [
  "description",
  "note",
  "version",
  "author",
  "license",
  "requires",
  "tags",
  "category",
  "governance",
  "metadata",
  "$schema",
];

export const SUITE_KEYS: readonly string[] = [
  ...CASE_LISTS,
  ...DESCRIPTIVE,
  "name",
  "dataset",
  "target",
  "execution",
  "evaluators",
  "evaluator",
  "assertions",
  "assert",
  "input",
  "providers",
  "prompts",
  "workspace",
];

export const CASE_KEYS: readonly string[] = [
  ...DESCRIPTIVE,
  "id",
  "name",
  "expected_outcome",
  "outcome",
  "criteria",
  "input_messages",
  "input",
  "input_files",
  "expected_messages",
  "expected_output",
  "conversation_id",
  "execution",
  "evaluators",
  "evaluator",
  "assertions",
  "assert",
  "rubrics",
  "vars",
  "target",
  "workspace",
];

/** Known to some release, but they change what a case means, so ignoring them would be a lie. */
export const UNSUPPORTED_CASE_KEYS: Readonly<Record<string, string>> = {
  turns: "conversation cases",
  aggregation: "conversation cases",
  on_turn_failure: "conversation cases",
  depends_on: "dependencies between cases",
  on_dependency_failure: "dependencies between cases",
};

const EXECUTION_KEYS: readonly string[] = [
  "target",
  "targets",
  "evaluators",
  "workers",
  "repeat",
  "trials",
  "threshold",
  "timeout_seconds",
  "budget_usd",
  "cache",
  "fail_on_error",
  "skip_defaults",
];

export interface Execution {
  readonly targets?: readonly string[];
  readonly workers?: number;
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
  readonly budgetUsd?: number;
  readonly skipDefaults?: boolean;
}

export const MAX_WORKERS = 50;
/** Runs of one case: more would be a slip of the keyboard, and every planned run takes memory. */
export const MAX_REPEAT = 10_000;

export function parseExecution(raw: Json | undefined, path: YamlPath, problems: ProblemList): Execution {
  if (raw === undefined || raw === null) return {};
  if (!isObject(raw)) {
    problems.add(path, '"execution" must be a mapping.');
    return {};
  }
  problems.checkKeys(raw, path, EXECUTION_KEYS, '"execution"');
  for (const key of ["cache", "fail_on_error"]) {
    if (member(raw, key) !== undefined) problems.diagnose([...path, key], `"${key}" has no effect here.`);
  }
  const number = (key: string, range: Range) => numberOf(raw, key, path, problems, range);
  const targets = textList(raw, "targets", path, problems) ?? textList(raw, "target", path, problems);
  const workers = number("workers", { min: 1, max: MAX_WORKERS, integer: true });
  const repeat = number("repeat", { min: 1, max: MAX_REPEAT, integer: true }) ?? trialsOf(raw, path, problems);
  const threshold = number("threshold", { min: 0, max: 1 });
  const timeout = number("timeout_seconds", { above: 0 });
  const budgetUsd = number("budget_usd", { above: 0 });
  return {
    ...(targets === undefined ? {} : { targets }),
    ...(workers === undefined ? {} : { workers }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(member(raw, "skip_defaults") === true ? { skipDefaults: true } : {}),
  };
}

function trialsOf(raw: JsonObject, path: YamlPath, problems: ProblemList): number | undefined {
  const trials = member(raw, "trials");
  if (trials === undefined) return undefined;
  if (!isObject(trials)) {
    problems.add([...path, "trials"], '"trials" must be a mapping with "count".');
    return undefined;
  }
  problems.checkKeys(trials, [...path, "trials"], ["count", "strategy", "cost_limit_usd"], '"trials"');
  for (const key of ["strategy", "cost_limit_usd"]) {
    if (member(trials, key) !== undefined) {
      problems.diagnose(
        [...path, "trials", key],
        `"${key}" has no effect: every run is reported, and a case passes by the share of runs that pass.`,
      );
    }
  }
  return numberOf(trials, "count", [...path, "trials"], problems, { min: 1, max: MAX_REPEAT, integer: true });
}

interface Range {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly integer?: boolean;
}

export function numberOf(
  raw: JsonObject,
  key: string,
  path: YamlPath,
  problems: ProblemList,
  range: Range,
): number | undefined {
  const value = member(raw, key);
  if (value === undefined || value === null) return undefined;
  const fail = (expected: string): undefined => {
    problems.add([...path, key], `"${key}" must be ${expected}.`);
    return undefined;
  };
  if (typeof value !== "number") return fail("a number");
  if (range.integer && !Number.isInteger(value)) return fail("a whole number");
  if (key === "workers" && (value < 1 || value > MAX_WORKERS)) {
    problems.add([...path, key], `Workers must be between 1 and ${MAX_WORKERS}, got: ${value}`);
    return undefined;
  }
  if (range.min !== undefined && value < range.min) return fail(`at least ${range.min}`);
  if (range.max !== undefined && value > range.max) return fail(`at most ${range.max}`);
  if (range.above !== undefined && value <= range.above) return fail(`more than ${range.above}`);
  return value;
}

/** A text or a list of texts; entries of the form `{id: name}` and `{name: …}` name themselves. */
export function textList(raw: JsonObject, key: string, path: YamlPath, problems: ProblemList): string[] | undefined {
  const value = member(raw, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return [value];
  const names = Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? item : (member(item, "id") ?? member(item, "name"))))
    : [];
  if (Array.isArray(value) && names.every((name): name is string => typeof name === "string")) return names;
  problems.add([...path, key], `"${key}" must be a text or a list of texts.`);
  return undefined;
}
