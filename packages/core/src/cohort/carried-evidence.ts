/**
 * Evidence that goes on from one pull request to the next: what a sequential test has won so far, and everything that is needed to
 * refuse evidence about something else.
 *
 * A fair game may be stopped and taken up again whenever one likes, so the error rate holds over all pull requests together (Ville's
 * inequality), as long as it is one game: the same baseline, the same scenarios, the same reading of runs, and no run bet on twice. A
 * baseline run that met a candidate is used up too: met again, its own luck would be taken for a difference that repeats itself.
 */
import { digestJson } from "../canonical/digest.ts";
import { SpoorError } from "../errors.ts";
import { isObject, type Json, member } from "../trace/json.ts";
import type { CohortRun, Side } from "./run.ts";
import type { SavedTest } from "./sequential.ts";

export interface CarriedEvidence {
  readonly schema: "spoor.cohort-carry/1";
  readonly about: CarriedSubject;
  /** Digests of the runs that met a partner. */
  readonly counted: Readonly<Record<Side, readonly string[]>>;
  /** What each recording added, the first one first. */
  readonly recordings: readonly { readonly pairs: number; readonly wealth: number }[];
  readonly test: SavedTest;
}

/** What the evidence is about. */
export interface CarriedSubject {
  /** The agent's name in the configuration; absent without one. */
  readonly agent?: string;
  readonly alpha: number;
  /** How runs were read: the options that decide scenarios and effects. */
  readonly reading: readonly string[];
  /** Scenarios of the baseline. */
  readonly scenarios: readonly string[];
  /** Digests of the baseline's runs; more may be added to them. */
  readonly baseline: readonly string[];
}

const DIGITS = 24;

/** The same run under another name has the same digest; two runs that merely did the same are told apart by id or clock. */
export function digestOfRun({ scenario, calls, texts, turns, stop, origin }: CohortRun): string {
  const { traceId, startedAt, endedAt } = origin ?? {};
  const run = { scenario, calls, texts, turns, stop, traceId, startedAt, endedAt };
  return digestJson(JSON.parse(JSON.stringify(run)) as Json, DIGITS);
}

/** Throws in words where evidence about one thing would be added to evidence about another. */
export function requireSameSubject(carried: CarriedSubject, given: CarriedSubject, file: string): void {
  const why = difference(carried, given);
  if (why === undefined) return;
  throw new SpoorError("cohort.carry-other", `${file} holds evidence about something else: ${why}.`, {
    at: { file },
    consequence: "Evidence about two things proves neither, so nothing was added and nothing was compared.",
    hint: "Name another file to begin anew, or delete this one when what it is about is settled.",
  });
}

function difference(carried: CarriedSubject, given: CarriedSubject): string | undefined {
  if (carried.agent !== given.agent)
    return `the agent there is ${carried.agent ?? "one without a name"}, here ${given.agent ?? "one without a name"}`;
  if (carried.alpha !== given.alpha) return `it is carried at --alpha ${carried.alpha}, asked at ${given.alpha}`;
  if (carried.reading.join("\n") !== given.reading.join("\n"))
    return `runs were read with ${optionWords(carried.reading)}, here with ${optionWords(given.reading)}`;
  const missing = carried.scenarios.filter((scenario) => !given.scenarios.includes(scenario));
  const more = given.scenarios.filter((scenario) => !carried.scenarios.includes(scenario));
  if (missing.length + more.length > 0)
    return `its scenarios are others (${[...missing, ...more].slice(0, 3).join(", ")}${missing.length + more.length > 3 ? " …" : ""})`;
  const known = new Set(given.baseline);
  const gone = carried.baseline.filter((digest) => !known.has(digest)).length;
  return gone === 0
    ? undefined
    : `${gone} of the ${carried.baseline.length} baseline runs it was won against are not among those given`;
}

function optionWords(reading: readonly string[]): string {
  return reading.length === 0 ? "no options" : reading.join(" ");
}

/** Reads back what was written; anything else is refused, because a guess about evidence is worth nothing. */
export function parseCarriedEvidence(json: Json, file: string): CarriedEvidence {
  const test = member(json, "test");
  const counted = member(json, "counted");
  const about = member(json, "about");
  const recordings = member(json, "recordings");
  const isWhole =
    member(json, "schema") === "spoor.cohort-carry/1" &&
    isObject(about) &&
    isAmount(about["alpha"]) &&
    (about["agent"] === undefined || typeof about["agent"] === "string") &&
    [about["reading"], about["scenarios"], about["baseline"]].every(isTexts) &&
    isObject(counted) &&
    [counted["baseline"], counted["candidate"]].every(isTexts) &&
    Array.isArray(recordings) &&
    recordings.every((one: Json) => isCount(member(one, "pairs")) && isAmount(member(one, "wealth"))) &&
    isSavedTest(test);
  if (isWhole) return json as unknown as CarriedEvidence;
  throw new SpoorError("cohort.carry-unreadable", `${file} is not evidence that spoor cohort --carry wrote.`, {
    at: { file },
    consequence: "Nothing was compared, because evidence that cannot be read cannot be added to.",
    hint: "Name another file, or delete this one to begin anew.",
  });
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function isSavedTest(test: Json | undefined): boolean {
  const groups = member(test, "groups");
  const stopped = member(test, "stoppedAfter");
  return (
    isCount(member(test, "pairs")) &&
    (stopped === null || isCount(stopped)) &&
    isObject(groups) &&
    Object.values(groups).every((group) => isStakes(member(group, "stakes")) && isSums(member(group, "sums")))
  );
}

function isStakes(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every(isAmount);
}

/** Of a feature the sum of its differences, which may be below zero, and of their squares, which is not. */
function isSums(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    Object.values(value).every(
      (sums) => Array.isArray(sums) && sums.length === 2 && Number.isFinite(sums[0]) && isAmount(sums[1]),
    )
  );
}

function isCount(value: Json | undefined): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAmount(value: Json | undefined): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}
