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

/** Consecutive steps of one group form a unit; any other step is a unit of its own. */
export function unitsOf(steps: readonly Step[]): Step[][] {
  const units: Step[][] = [];
  for (const step of steps) {
    const last = units.at(-1);
    const group = step.expected.group;
    if (group !== undefined && last?.[0]?.expected.group === group) last.push(step);
    else units.push([step]);
  }
  return units;
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
