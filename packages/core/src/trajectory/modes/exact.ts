/**
 * exact: position by position, nothing left out and nothing added. The steps of a group may stand in any order within
 * their positions.
 */
import { forEachUnit, type MatchInput, matched, missed, type StepMatch } from "../matching.ts";
import { nameFits, type Step, stepFits } from "../step.ts";
import { whyNot } from "./in-order.ts";

export function matchExact(input: MatchInput): StepMatch[] {
  const matches: StepMatch[] = [];
  forEachUnit(
    input.steps,
    (step) => matches.push(matchPosition(input, step, step.index)),
    (unit) => matches.push(...matchWindow(input, unit)),
  );
  return matches;
}

function matchPosition({ candidates }: MatchInput, step: Step, position: number): StepMatch {
  const candidate = candidates[position];
  if (candidate === undefined) return missed("nothing_left");
  if (!nameFits(step, candidate.call.name)) return missed("other_tool", position);
  return stepFits(step, candidate) ? matched(position) : missed(whyNot(step, candidate), position);
}

/** First every step that fits somewhere in the window, then the others against what is left, in order. */
function matchWindow(input: MatchInput, unit: readonly Step[]): StepMatch[] {
  const free = new Set(unit.map((step) => step.index));
  const served = new Map<Step, number>();
  for (const step of unit) {
    for (const position of free) {
      const candidate = input.candidates[position];
      if (candidate === undefined || !stepFits(step, candidate)) continue;
      served.set(step, position);
      free.delete(position);
      break;
    }
  }
  const left = [...free];
  return unit.map((step) => {
    const position = served.get(step);
    return position === undefined ? matchPosition(input, step, left.shift()!) : matched(position);
  });
}
