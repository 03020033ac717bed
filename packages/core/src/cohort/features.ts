/**
 * A run as numbers: ten groups of features, each a question about what the agent did.
 *
 * Counts enter as L(x) = log2(1 + x), so that from 1 to 2 calls weighs more than from 11 to 12. A feature that is absent
 * from a run is either zero there (a tool that was not called) or not applicable (the order of two tools of which one was
 * not called); `absentMeans` says which. Cost: linear in the run, plus the pairs of distinct tools for `order`.
 */

import { addArguments, addEffects, addOrder, addTools, countCalls } from "./call-features.ts";
import { isEffect } from "./effects.ts";
import {
  type AddFeature,
  addTo,
  codePoints,
  type Identities,
  JOIN,
  logCount,
  plainIdentities,
} from "./feature-parts.ts";
import type { CohortRun } from "./run.ts";
import { addFollowing, addRhythm, END_STEP, START_STEP, STEPS_KNOWN, stepsOf, TEXT_STEP } from "./step-features.ts";
import { callTokens, effectTokens } from "./tokens.ts";
import { BUCKETS, textBuckets } from "./words.ts";

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
  return readFeatures(run).features;
}

/** What of a run is read, whichever side it stands on. */
export type ReadableRun = Omit<CohortRun, "side">;

export function readFeatures(run: ReadableRun): { readonly features: Features; readonly detail: RunDetail } {
  const features = byGroup(() => new Map<string, number>());
  const add = byGroup(
    (group): AddFeature =>
      (identity, amount) =>
        addTo(features[group], identity, amount),
  );
  const buckets = textBuckets(textOf(run));
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    if (buckets[bucket] !== 0) add.text(bucketName(bucket), buckets[bucket]!);
  }
  return { features, detail: readRun(run, { add, identities: plainIdentities }) };
}

/** Who takes in the features of runs. */
export interface FeatureSink {
  readonly add: Readonly<Record<Group, AddFeature>>;
  readonly identities: Identities;
}

/** What the test keeps of a run beside its features. */
export interface RunDetail {
  /** Name and canonical arguments of every call. */
  readonly tokens: readonly string[];
  /** Positions of the calls that are effects. */
  readonly effects: readonly number[];
  /** Of each effect, name and canonical arguments without free text. */
  readonly effectTokens: readonly string[];
}

/** Hands on the features of all groups but `text`, in the order of the groups. */
export function readRun(run: ReadableRun, { add, identities }: FeatureSink): RunDetail {
  const { calls } = run;
  const tokens = callTokens(calls);
  const effects: number[] = [];
  for (let index = 0; index < calls.length; index++) if (isEffect(calls[index]!)) effects.push(index);
  const callsOf = countCalls(calls);
  const steps = stepsOf(run);
  addTools(callsOf, add.tools, identities);
  addOrder(callsOf, add.order, identities);
  addFollowing(steps, add.steps, identities);
  addArguments(calls, callsOf, add.args, identities);
  addEffects(calls, effects, add.effects, identities);
  addEffort(run, tokens, add.effort);
  addRhythm(run, steps, add.rhythm);
  addOutcome(run, add.outcome, identities);
  addStyle(textOf(run), run.texts.length, add.style);
  return { tokens, effects, effectTokens: effectTokens(calls, effects, tokens) };
}

/** All texts of a run as one. */
export function textOf(run: Pick<CohortRun, "texts">): string {
  return run.texts.join("\n");
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

function addEffort(run: ReadableRun, tokens: readonly string[], add: AddFeature): void {
  add("turns", logCount(run.turns));
  add("calls", logCount(run.calls.length));
  add("repeats", logCount(tokens.length - new Set(tokens).size));
  add("parallel", logCount(run.maxParallel ?? (run.calls.length > 0 ? 1 : 0)));
  if (run.outputTokens !== undefined) add("tokens", logCount(run.outputTokens));
}

function addOutcome(run: ReadableRun, add: AddFeature, { marked }: Identities): void {
  let errors = 0;
  for (const call of run.calls) if (call.error === true) errors++;
  add("errors", logCount(errors));
  add("failed", errors > 0 ? 1 : 0);
  if (run.stop !== undefined) add(marked("stop:", run.stop), 1);
}

/** The identity of a word bucket: `w007`. */
export function bucketName(bucket: number): string {
  return `w${String(bucket).padStart(3, "0")}`;
}

/** The bucket of such an identity. */
export function bucketNumber(identity: string): number {
  return Number(identity.slice(1));
}

const LIST_LINE = /(?:^|\n)[ \t]*(?:[-*•]|[0-9]+[.)])(?=[ \t])/g;

function addStyle(text: string, messages: number, add: AddFeature): void {
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
  add("chars", logCount(chars));
  add("charsPerMessage", logCount(chars / Math.max(1, messages)));
  add("questions", logCount(questions));
  add("digits", logCount(digits));
  add("listLines", logCount(text.match(LIST_LINE)?.length ?? 0));
  add("lines", logCount(newlines + 1));
}
