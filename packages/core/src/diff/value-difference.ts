/** Where two values first differ: the path of the argument comparer, with the line where long texts part. */
import { parseJsonText } from "../trace/call-shape.ts";
import { isObject, type Json, member } from "../trace/json.ts";
import { collectChanges, type FoundChange } from "./call-changes.ts";
import { firstLineDifference } from "./text-difference.ts";

/** `path` is empty for the whole; `line` counts from 1 where a text of several lines differs. */
export interface ValueDifference extends FoundChange {
  readonly line?: number;
}

/** Undefined when nothing but ids, times and hidden values differs. */
export function firstValueDifference(before: Json | undefined, after: Json | undefined): ValueDifference | undefined {
  let first: ValueDifference | undefined;
  collectChanges(before, after, "", (change) => {
    first ??= realDifference(change);
  });
  return first;
}

/** A result as it means: JSON inside a text is read, and a list of text blocks is its text. */
export function readResult(output: Json | undefined): Json | undefined {
  const text = textOf(output);
  if (text === undefined) return output;
  return /^\s*[[{]/.test(text) ? (parseJsonText(text) ?? text) : text;
}

function textOf(output: Json | undefined): string | undefined {
  if (typeof output === "string") return output;
  if (!Array.isArray(output) || output.length === 0) return undefined;
  const texts = output.map((part: Json) => (member(part, "type") === "text" ? member(part, "text") : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}

function realDifference(change: FoundChange): ValueDifference | undefined {
  const { path, baseline, candidate } = change;
  if (isClock(path) && isNumber(baseline) && isNumber(candidate)) return undefined;
  if (isEpoch(baseline) && isEpoch(candidate)) return undefined;
  if (typeof baseline !== "string" || typeof candidate !== "string") {
    return { path, ...clipped("baseline", baseline), ...clipped("candidate", candidate) };
  }
  const found = firstLineDifference(baseline, candidate);
  if (found === undefined) return undefined;
  const { line, ...lines } = found;
  return { path, ...lines, ...(line === 1 && !/[\r\n]/.test(baseline + candidate) ? {} : { line }) };
}

function isClock(path: string): boolean {
  return /(?:^|[._])(?:ts|time|timestamp|at|ms|latency|duration|elapsed)$/i.test(path);
}

function isNumber(value: Json | undefined): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

/** Seconds or milliseconds since 1970, from 2001 to 2033. */
function isEpoch(value: Json | undefined): boolean {
  if (typeof value !== "number") return false;
  return (value >= 1e9 && value < 2e9) || (value >= 1e12 && value < 2e12);
}

const SHOWN = 160;
const MEMBERS = 8;

/** A value that only one side has may be anything: of a long one the beginning is kept. */
function clipped(side: "baseline" | "candidate", value: Json | undefined): Partial<Record<typeof side, Json>> {
  if (value === undefined) return {};
  return { [side]: clip(value, 2) };
}

function clip(value: Json, depth: number): Json {
  if (typeof value === "string") return value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) {
    const kept = value.slice(0, MEMBERS).map((item: Json) => clip(item, depth - 1));
    return value.length > MEMBERS ? [...kept, "…"] : kept;
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  const kept = keys.slice(0, MEMBERS).map((key): [string, Json] => [key, clip(value[key]!, depth - 1)]);
  return Object.fromEntries(keys.length > MEMBERS ? [...kept, ["…", keys.length - MEMBERS]] : kept);
}
