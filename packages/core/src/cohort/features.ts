/**
 * A run as numbers: ten groups of features, each a question about what the agent did.
 *
 * Counts enter as L(x) = log2(1 + x), so that from 1 to 2 calls weighs more than from 11 to 12. A feature that is absent
 * from a run is either zero there (a tool that was not called) or not applicable (the order of two tools of which one was
 * not called); `absentMeans` says which. Cost: linear in the run, plus the pairs of distinct tools for `order`.
 */

import { compareCodePoints } from "../canonical/canonical-json.ts";
import { isObject, type Json } from "../trace/json.ts";
import { isEffect } from "./effects.ts";
import { addTo, countBy, JOIN, logCount } from "./feature-parts.ts";
import type { CohortCall, CohortRun } from "./run.ts";
import { END_STEP, followFeatures, rhythmFeatures, START_STEP, STEPS_KNOWN, TEXT_STEP } from "./step-features.ts";
import { callTokens, effectTokens } from "./tokens.ts";
import { BUCKETS, textBuckets, wordBucket } from "./words.ts";

export const groups = [
  "tools",
  "order",
  "steps",
  "args",
  "effects",
  "effort",
  "rhythm",
  "outcome",
  "text",
  "style",
] as const;
export type Group = (typeof groups)[number];

/** One value per group. */
export function byGroup<T>(make: (group: Group) => T): Record<Group, T> {
  return Object.fromEntries(groups.map((group) => [group, make(group)])) as Record<Group, T>;
}

/** Whether a group's features are brought to one scale before they are added up. */
export const scaled: Readonly<Record<Group, boolean>> = {
  tools: false,
  order: false,
  steps: true,
  args: true,
  effects: false,
  effort: true,
  rhythm: true,
  outcome: true,
  text: false,
  style: true,
};

/**
 * What the absence of a feature from a run means: `zero`, `unknown` (it does not apply), or `dependent` (zero when the run has
 * another feature, `dependsOn`, and unknown otherwise: an argument of a tool that was not called).
 */
export type AbsentMeans = "zero" | "unknown" | "dependent";

/** The features of one run: group → identity → value. */
export type Features = Readonly<Record<Group, ReadonlyMap<string, number>>>;

/** All features of a run by name. */
export function runFeatures(run: CohortRun): Features {
  const { features, buckets } = readRun(run, wordBucket);
  return { ...features, text: textFeatures(buckets) };
}

/** What the test keeps of a run, computed in one pass. */
export interface RunDetail {
  readonly features: Omit<Features, "text">;
  /** The text group, as the values of its 256 buckets. */
  readonly buckets: Float64Array;
  /** Name and canonical arguments of every call. */
  readonly tokens: readonly string[];
  /** Positions of the calls that are effects. */
  readonly effects: readonly number[];
  /** Of each effect, name and canonical arguments without free text. */
  readonly effectTokens: readonly string[];
}

/** `bucketOf` is called for each word of the run. */
export function readRun(run: CohortRun, bucketOf: (word: string) => number): RunDetail {
  const tokens = callTokens(run.calls);
  const effects: number[] = [];
  for (let index = 0; index < run.calls.length; index++) if (isEffect(run.calls[index]!)) effects.push(index);
  const text = run.texts.join("\n");
  return {
    features: {
      tools: toolFeatures(run.calls),
      order: orderFeatures(run.calls),
      steps: followFeatures(run),
      args: argumentFeatures(run.calls),
      effects: effectFeatures(run.calls, effects),
      effort: effortFeatures(run, tokens),
      rhythm: rhythmFeatures(run),
      outcome: outcomeFeatures(run),
      style: styleFeatures(text, run.texts.length),
    },
    buckets: textBuckets(text, bucketOf),
    tokens,
    effects,
    effectTokens: effectTokens(run.calls, effects, tokens),
  };
}

/** What people read: `confirm<refund`, `confirm>refund` for steps, `refund.amount:size`. */
export function featureName(group: Group, identity: string): string {
  if (group === "steps") return featureParts(identity).map(stepName).join(">");
  if (group === "order") return identity.replace(JOIN, "<");
  return group === "args" ? identity.replace(JOIN, ".").replace(JOIN, "") : identity;
}

function stepName(step: string): string {
  return [TEXT_STEP, START_STEP, END_STEP].includes(step) ? `(${step.slice(1)})` : step;
}

/** The parts of a feature's identity: two tools for `order`, two steps; tool, key and suffix for `args`; else the identity alone. */
export function featureParts(identity: string): string[] {
  return identity.split(JOIN);
}

export function absentMeans(group: Group, identity: string): AbsentMeans {
  if (group === "order" || UNKNOWN_IF_ABSENT.has(identity)) return "unknown";
  if (group === "steps") return identity === STEPS_KNOWN ? "unknown" : "dependent";
  if (group !== "args") return "zero";
  return identity.endsWith(":size") ? "unknown" : "dependent";
}

const UNKNOWN_IF_ABSENT: ReadonlySet<string> = new Set(["tokens", "callsInARow", "textsInARow"]);

/** The feature that a `dependent` one needs to apply at all. */
export function dependsOn(group: Group, identity: string): { readonly group: Group; readonly identity: string } {
  return group === "steps"
    ? { group, identity: STEPS_KNOWN }
    : { group: "tools", identity: `has:${featureParts(identity)[0]!}` };
}

function toolFeatures(calls: readonly CohortCall[]): Map<string, number> {
  const counts = countBy(calls.map((call) => call.name));
  const features = new Map<string, number>();
  for (const [name, count] of counts) features.set(`has:${name}`, 1).set(`n:${name}`, logCount(count));
  return features;
}

function orderFeatures(calls: readonly CohortCall[]): Map<string, number> {
  const names = [...new Set(calls.map((call) => call.name))];
  const features = new Map<string, number>();
  for (let first = 0; first < names.length; first++) {
    for (let later = first + 1; later < names.length; later++) {
      const a = names[first]!;
      const b = names[later]!;
      if (compareCodePoints(a, b) < 0) features.set(a + JOIN + b, 1);
      else features.set(b + JOIN + a, 0);
    }
  }
  return features;
}

function argumentFeatures(calls: readonly CohortCall[]): Map<string, number> {
  const totals = new Map<string, number>();
  const callsOf = countBy(calls.map((call) => call.name));
  for (const { name, args } of calls) {
    if (args === undefined) continue;
    const share = 1 / callsOf.get(name)!;
    const entries: readonly [string, Json][] = isObject(args) ? Object.entries(args) : [["", args]];
    for (const [key, value] of entries) {
      const prefix = name + JOIN + key + JOIN;
      addTo(totals, `${prefix}:${jsonType(value)}`, share);
      const size = jsonSize(value);
      if (size !== undefined) addTo(totals, `${prefix}:size`, logCount(size) * share);
    }
  }
  return totals;
}

function jsonType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "arr";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "string":
      return "str";
    case "object":
      return "obj";
    default:
      return "num";
  }
}

function jsonSize(value: Json): number | undefined {
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "string") return codePoints(value);
  if (typeof value === "number") return Math.abs(value);
  if (typeof value === "bigint") return Math.abs(Number(value));
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function effectFeatures(calls: readonly CohortCall[], effects: readonly number[]): Map<string, number> {
  const features = new Map([["effects", logCount(effects.length)]]);
  for (const [name, count] of countBy(effects.map((index) => calls[index]!.name)))
    features.set(`n:${name}`, logCount(count));
  return features;
}

function effortFeatures(run: CohortRun, tokens: readonly string[]): Map<string, number> {
  const parallel = run.maxParallel ?? (run.calls.length > 0 ? 1 : 0);
  const features = new Map([
    ["turns", logCount(run.turns)],
    ["calls", logCount(run.calls.length)],
    ["repeats", logCount(tokens.length - new Set(tokens).size)],
    ["parallel", logCount(parallel)],
  ]);
  if (run.outputTokens !== undefined) features.set("tokens", logCount(run.outputTokens));
  return features;
}

function outcomeFeatures(run: CohortRun): Map<string, number> {
  let errors = 0;
  for (const call of run.calls) if (call.error === true) errors++;
  const features = new Map([
    ["errors", logCount(errors)],
    ["failed", errors > 0 ? 1 : 0],
  ]);
  if (run.stop !== undefined) features.set(`stop:${run.stop}`, 1);
  return features;
}

function textFeatures(buckets: Float64Array): Map<string, number> {
  const features = new Map<string, number>();
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (buckets[bucket] !== 0) features.set(bucketName(bucket), buckets[bucket]!);
  }
  return features;
}

/** The identity of a word bucket: `w007`. */
export function bucketName(bucket: number): string {
  return `w${String(bucket).padStart(3, "0")}`;
}

const LIST_LINE = /(?:^|\n)[ \t]*(?:[-*•]|[0-9]+[.)])(?=[ \t])/g;

function styleFeatures(text: string, messages: number): Map<string, number> {
  let questions = 0;
  let digits = 0;
  let newlines = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x3f) questions++;
    else if (code === 0x0a) newlines++;
    else if (code >= 0x30 && code <= 0x39) digits++;
  }
  const chars = codePoints(text);
  return new Map([
    ["chars", logCount(chars)],
    ["charsPerMessage", logCount(chars / Math.max(1, messages))],
    ["questions", logCount(questions)],
    ["digits", logCount(digits)],
    ["listLines", logCount(text.match(LIST_LINE)?.length ?? 0)],
    ["lines", logCount(newlines + 1)],
  ]);
}

function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) count--;
  }
  return count;
}
