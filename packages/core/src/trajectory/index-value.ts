/**
 * A number for the values of some arguments: equal values give equal numbers, so that calls can be found by a map instead
 * of by comparison. Different values may share a number (candidates are compared in full afterwards). Numbers rather
 * than texts, because joining and hashing texts cost more than everything else in scoring.
 */
import type { Json, JsonObject } from "../trace/json.ts";
import type { Step } from "./step.ts";

/** Of a long text only both ends and the length take part. */
const TEXT_END = 48;
const SEED = 0x811c9dc5;

/** The values of a step at its index keys. */
export function indexValueOfStep(step: Step): number {
  let hash = SEED;
  const keys = step.indexKeys;
  let next = 0;
  for (const { key, pattern } of step.args?.members ?? []) {
    if (key !== keys[next] || pattern.kind !== "value") continue;
    hash = mixValue(hash, pattern.value);
    next++;
  }
  return hash >>> 1;
}

/** The values of a call at these keys; -1 when one of them is missing. */
export function indexValueOf(args: JsonObject | undefined, keys: readonly string[]): number {
  if (args === undefined) return -1;
  let hash = SEED;
  for (const key of keys) {
    if (!Object.hasOwn(args, key)) return -1;
    hash = mixValue(hash, args[key]!);
  }
  return hash >>> 1;
}

/** A whole value; -1 when there is none. */
export function indexValueOfJson(value: Json | undefined): number {
  return value === undefined ? -1 : mixValue(SEED, value) >>> 1;
}

function mixValue(hash: number, value: Json): number {
  switch (typeof value) {
    case "string":
      return mixText(mix(hash, 1), value);
    case "number":
      return mixNumber(hash, value);
    case "bigint":
      return mixNumber(hash, Number(value));
    case "boolean":
      return mix(hash, value ? 3 : 4);
    default:
      return value === null ? mix(hash, 5) : mixContainer(hash, value as readonly Json[] | JsonObject);
  }
}

function mixContainer(hash: number, value: readonly Json[] | JsonObject): number {
  if (Array.isArray(value)) {
    let mixed = mix(hash, 6 + value.length);
    for (const item of value as readonly Json[]) mixed = mixValue(mixed, item);
    return mixed;
  }
  // The order of keys says nothing: members are added, not chained.
  const mapping = value as JsonObject;
  let sum = 7;
  for (const key of Object.keys(mapping)) sum = (sum + mixValue(mixText(SEED, key), mapping[key]!)) | 0;
  return mix(hash, sum);
}

function mixNumber(hash: number, value: number): number {
  const whole = value | 0;
  return whole === value ? mix(mix(hash, 2), whole) : mixText(mix(hash, 2), String(value));
}

function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length);
  const { length } = text;
  const head = length <= 2 * TEXT_END ? length : TEXT_END;
  for (let at = 0; at < head; at++) mixed = mix(mixed, text.charCodeAt(at));
  if (head < length) for (let at = length - TEXT_END; at < length; at++) mixed = mix(mixed, text.charCodeAt(at));
  return mixed;
}

/** One round of FNV-1a. */
function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}
