/**
 * When the agent speaks and when it acts: the features of the groups `rhythm` and `steps`. They look at the order of calls and
 * texts and never into a text, so they see behaviour that wording would only drown. Cost: linear in the run.
 */
import { type AddFeature, addTo, type Identities, logCount } from "./feature-parts.ts";
import type { CohortRun } from "./run.ts";

/** Steps that are no calls. The mark in front keeps them apart from a tool of that name. */
export const TEXT_STEP = "\u0001text";
export const START_STEP = "\u0001start";
export const END_STEP = "\u0001end";

/** Stands in every run whose steps are known; runs without it take no part in the group. */
export const STEPS_KNOWN = "";

/** Responses with and without text, calls per response; where the places of the texts are known, also the longest series of each. */
export function addRhythm(run: Omit<CohortRun, "side">, steps: readonly string[] | undefined, add: AddFeature): void {
  add("textTurns", logCount(run.texts.length));
  add("silentTurns", logCount(Math.max(0, run.turns - run.texts.length)));
  add("callsPerTurn", logCount(run.calls.length / Math.max(1, run.turns)));
  if (steps === undefined) return;
  add("callsInARow", logCount(longestSeries(steps, (step) => step !== TEXT_STEP)));
  add("textsInARow", logCount(longestSeries(steps, (step) => step === TEXT_STEP)));
}

/** How often each step directly follows each other one; a text is a step, and so are the start and the end of the run. */
export function addFollowing(steps: readonly string[] | undefined, add: AddFeature, { pair }: Identities): void {
  if (steps === undefined) return;
  const counts = new Map<string, number>();
  let before = START_STEP;
  for (const step of steps) {
    addTo(counts, pair(before, step), 1);
    before = step;
  }
  addTo(counts, pair(before, END_STEP), 1);
  add(STEPS_KNOWN, 1);
  for (const [pair, count] of counts) add(pair, logCount(count));
}

/** Calls by the name of their tool, texts as `TEXT_STEP`, in order; undefined when the source does not say where the texts stand. */
export function stepsOf({ calls, texts, textsAfter }: Omit<CohortRun, "side">): string[] | undefined {
  if (textsAfter === undefined || textsAfter.length !== texts.length) return undefined;
  const steps: string[] = [];
  let text = 0;
  for (let call = 0; call <= calls.length; call++) {
    for (; text < textsAfter.length && (call === calls.length || textsAfter[text]! <= call); text++)
      steps.push(TEXT_STEP);
    if (call < calls.length) steps.push(calls[call]!.name);
  }
  return steps;
}

function longestSeries(steps: readonly string[], belongs: (step: string) => boolean): number {
  let longest = 0;
  let current = 0;
  for (const step of steps) {
    current = belongs(step) ? current + 1 : 0;
    longest = Math.max(longest, current);
  }
  return longest;
}
