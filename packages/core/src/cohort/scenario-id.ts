/**
 * Which task a run worked on: the one it is a variant of, else what its metadata says, else the eval case, else its file's
 * name without the marks of a repeat (`refund.trial2.jsonl`, `refund-3.json` and `refund.json` are runs of `refund`).
 */
import { type Json, member } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import type { Side } from "./run.ts";

const EVAL_CASE_KEYS = ["eval_case", "eval_id", "case_id", "test_id"];
const EXTENSION = /\.[A-Za-z][A-Za-z0-9]*$/;
const REPEAT = /(?:\.trial\d+|\.run\d+|-\d{1,3})$/;
/** From this many equally named files on both sides on, numbers at the end of names count tasks, not repeats. */
const MANY_TASKS = 6;

export interface NamedRun {
  readonly side: Side;
  readonly scenario: string;
  /** See `wholeName`. */
  readonly wholeName?: string;
}

/**
 * Numbers at the end of file names may count repeats or tasks. `task-1` to `task-200` on both sides are 200 tasks; were they taken
 * for repeats, everything would collapse into one scenario. Where only the names decide and they do collapse, whole names are used.
 */
export function tellTasksApart<R extends NamedRun>(runs: readonly R[]): readonly R[] {
  const [first] = runs;
  if (first === undefined) return runs;
  const names: Record<Side, Set<string>> = { baseline: new Set(), candidate: new Set() };
  for (const { side, scenario, wholeName } of runs) {
    if (wholeName === undefined || scenario !== first.scenario) return runs;
    names[side].add(wholeName);
  }
  const common = [...names.candidate].filter((name) => names.baseline.has(name)).length;
  return common < MANY_TASKS ? runs : runs.map((run) => ({ ...run, scenario: run.wholeName! }));
}

/** The scenario of a trace; undefined when neither metadata nor a file name gives one. */
export function scenarioId(trace: Trace): string | undefined {
  return variantOf(trace.metadata) ?? trace.scenario ?? evalCase(trace.metadata) ?? scenarioOfPath(trace.source.path);
}

/** The whole name of a trace's file, where nothing else names its scenario; undefined otherwise. */
export function wholeName(trace: Trace): string | undefined {
  const { metadata, scenario, source } = trace;
  if (scenario !== undefined || variantOf(metadata) !== undefined || evalCase(metadata) !== undefined) return undefined;
  return source.path
    ?.replace(/^.*[\\/]/, "")
    .replace(/\.gz$/, "")
    .replace(EXTENSION, "");
}

/** The text of a metadata member by dotted path (`labels.customer`), also looked up under `tags` and `labels`. */
export function scenarioByKey(trace: Trace, key: string): string | undefined {
  const places = [trace.metadata, member(trace.metadata, "tags"), member(trace.metadata, "labels")];
  for (const place of places) {
    const value = key.split(".").reduce<Json | undefined>((at, part) => member(at, part), place);
    const text = textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** `runs/refund.trial2.jsonl.gz` → `refund`. A number of four or more digits is an id (`ticket-1042`), not a repeat. */
function scenarioOfPath(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const file = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.gz$/, "");
  const withoutRepeat = file.replace(REPEAT, "");
  const bare = (withoutRepeat === file ? file.replace(EXTENSION, "") : withoutRepeat).replace(REPEAT, "");
  return bare === "" || bare === "-" ? undefined : bare;
}

/** Variants of one task (with and without an attack) are runs of that task; a diff may still pair them one by one. */
function variantOf(metadata: Json): string | undefined {
  return textOf(member(metadata, "variant_of"));
}

function evalCase(metadata: Json): string | undefined {
  for (const key of EVAL_CASE_KEYS) {
    const text = textOf(member(metadata, key));
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;
}
