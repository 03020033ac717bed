/**
 * superset and unordered: every step is served by a call of its own, order does not matter. Each step takes the first
 * unused call that fits, in the order of the steps: first fit, not the largest possible matching, so an unconstrained
 * step written before a constrained one can take its call.
 */
import type { Bucket } from "../call-index.ts";
import { forEachUnit, type MatchInput, matched, missed, type StepMatch, serveAll } from "../matching.ts";
import { detailsFit, type Step, stepFits } from "../step.ts";
import { whyNot } from "./in-order.ts";

export function matchSuperset(input: MatchInput): StepMatch[] {
  const used = new Uint8Array(input.candidates.length);
  const matches: StepMatch[] = [];
  forEachUnit(
    input.steps,
    (step) => matches.push(firstFit(input, step, used)),
    (unit) => {
      const together = serveInOneTurn(input, unit, used);
      matches.push(...(together?.map(matched) ?? unit.map((step) => firstFit(input, step, used))));
    },
  );
  return matches;
}

function firstFit(input: MatchInput, step: Step, used: Uint8Array): StepMatch {
  const bucket = input.index().possible(step);
  skipUsed(bucket, used);
  for (let at = bucket.from; at < bucket.positions.length; at++) {
    const position = bucket.positions[at]!;
    if (used[position] === 1 || !detailsFit(step, input.candidates[position]!)) continue;
    used[position] = 1;
    return matched(position);
  }
  return notFound(input, step);
}

function skipUsed(bucket: Bucket, used: Uint8Array): void {
  while (bucket.from < bucket.positions.length && used[bucket.positions[bucket.from]!] === 1) bucket.from++;
}

function notFound(input: MatchInput, step: Step): StepMatch {
  const { positions } = input.index().named(step);
  if (positions.length === 0) return missed("never_called");
  const fitting = input
    .index()
    .possible(step)
    .positions.some((position) => detailsFit(step, input.candidates[position]!));
  return missed(fitting ? "already_used" : whyNot(step, input.candidates[positions[0]!]!));
}

function serveInOneTurn(input: MatchInput, unit: readonly Step[], used: Uint8Array): number[] | undefined {
  const turns = new Map<number, number[]>();
  for (let position = 0; position < input.candidates.length; position++) {
    if (used[position] === 1) continue;
    const { turnIndex } = input.candidates[position]!.call;
    const positions = turns.get(turnIndex);
    if (positions === undefined) turns.set(turnIndex, [position]);
    else positions.push(position);
  }
  for (const positions of turns.values()) {
    const served = serveAll(unit, positions, (step, position) => stepFits(step, input.candidates[position]!));
    if (served === undefined) continue;
    for (const position of served) used[position] = 1;
    return served;
  }
  return undefined;
}
