/**
 * Which steps two behaviours are laid side by side with. Tools and the last reply say most, because model calls stand between them
 * anyway; where these are the same, or where one side calls the model twice in a row more often, every step is shown, so that the
 * model call too many stands where it was made.
 */
import { pathSteps } from "./behaviour-path.ts";
import { targetOf } from "./segments.ts";

export function shownSteps(known: readonly string[], now: readonly string[]): [readonly string[], readonly string[]] {
  const [knownTools, nowTools] = [pathSteps(known), pathSteps(now)];
  const isSame = knownTools.length === nowTools.length && knownTools.every((step, index) => step === nowTools[index]);
  if (!isSame && repeatedModelCalls(known) === repeatedModelCalls(now)) return [knownTools, nowTools];
  return [known.map(stepName), now.map(stepName)];
}

function repeatedModelCalls(segments: readonly string[]): number {
  return segments.filter((segment, index) => isModelCall(segment) && isModelCall(segments[index + 1] ?? "")).length;
}

function isModelCall(segment: string): boolean {
  return segment.startsWith("LLM_CALL:");
}

function stepName(segment: string): string {
  return targetOf(segment) || (isModelCall(segment) ? "model call" : "(no name)");
}

/** How two behaviours with the same set of steps differ. */
export type StepDifference = "order" | "more_steps" | "fewer_steps" | "other_counts";

export function stepDifference(known: readonly string[], now: readonly string[]): StepDifference {
  if (now.length !== known.length) return now.length > known.length ? "more_steps" : "fewer_steps";
  const sorted = [...known].sort();
  return [...now].sort().every((segment, index) => segment === sorted[index]) ? "order" : "other_counts";
}
