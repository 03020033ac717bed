/** What a mode decides: which call serves which step, and why a step has none. The score is counted afterwards. */
import type { CallIndex } from "./call-index.ts";
import type { Candidate, Step } from "./step.ts";
import type { MissReason } from "./trajectory.ts";

export interface MatchInput {
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
  /** Built on first use: the straight walks do not need it. */
  readonly index: () => CallIndex;
}

export interface StepMatch {
  /** Position of the call that matched, or -1. */
  readonly call: number;
  /** The call that stood there or was consumed instead, or -1. */
  readonly found: number;
  readonly reason?: MissReason;
  readonly usedUpBy?: number;
}

export function matched(call: number): StepMatch {
  return { call, found: -1 };
}

export function missed(reason: MissReason, found = -1): StepMatch {
  return { call: -1, found, reason };
}

/** Visits the steps: one by one, or all of a group together when consecutive ones share it. */
export function forEachUnit(
  steps: readonly Step[],
  single: (step: Step) => void,
  together: (unit: readonly Step[]) => void,
): void {
  for (let from = 0; from < steps.length; ) {
    const { group } = steps[from]!.expected;
    let end = from + 1;
    while (group !== undefined && end < steps.length && steps[end]!.expected.group === group) end++;
    if (end === from + 1) single(steps[from]!);
    else together(steps.slice(from, end));
    from = end;
  }
}

/** Serves each step with the first fitting position of the list, each position once; undefined when one stays unserved. */
export function serveAll(
  unit: readonly Step[],
  positions: readonly number[],
  fits: (step: Step, position: number) => boolean,
): number[] | undefined {
  const used = new Set<number>();
  const served: number[] = [];
  for (const step of unit) {
    const position = positions.find((candidate) => !used.has(candidate) && fits(step, candidate));
    if (position === undefined) return undefined;
    used.add(position);
    served.push(position);
  }
  return served;
}
