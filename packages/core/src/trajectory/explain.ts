/**
 * For a step that was missed: the call that came closest, and every argument path where it differs; where a call fits that was
 * not looked at, the one that was. Bounded: only the
 * first misses are explained and only so many calls are looked at, the nearest ones first; what is left out is counted.
 */
import { nearestTool } from "../text/nearest-tool.ts";
import { compareArgs } from "./compare-args.ts";
import type { MatchInput, StepMatch } from "./matching.ts";
import { whyNot } from "./modes/in-order.ts";
import { comparedArgs, detailsFit, referenceTo, type Step } from "./step.ts";
import type { CallReference, ClosestCall, MissReason } from "./trajectory.ts";

const MAX_EXPLAINED = 100;
const MAX_COMPARED = 500;
const MAX_COMPARED_PER_STEP = 100;

export interface Explanation {
  readonly closest?: ClosestCall;
  /** A call that would have served. */
  readonly fitting?: CallReference;
  readonly reason?: MissReason;
  /** A called tool whose name is nearly the expected one. */
  readonly similarTool?: string;
}

const NOTHING: Explanation = {};

/** Reasons that say what is wrong with a call, so that they must be about the one that is shown. */
const reasonsOfCalls: ReadonlySet<MissReason> = new Set(["args_differ", "status_differs", "turn_differs"]);

export class Explainer {
  private readonly input: MatchInput;
  private compared = 0;
  private explained = 0;
  unexplained = 0;

  constructor(input: MatchInput) {
    this.input = input;
  }

  explain(step: Step, match: StepMatch): Explanation {
    if (this.explained >= MAX_EXPLAINED) {
      this.unexplained++;
      return NOTHING;
    }
    this.explained++;
    const { positions } = this.input.index().named(step);
    if (positions.length === 0) return this.explainNeverCalled(step);
    const order = this.nearestFirst(positions, match.found >= 0 ? match.found : step.index);
    let best: ClosestCall | undefined;
    for (const position of order) {
      if (best !== undefined && this.compared >= MAX_COMPARED) break;
      this.compared++;
      const closest = this.compare(step, position);
      if (best === undefined || closest.differences < best.differences) best = closest;
      if (best.differences === 0) break;
    }
    if (best === undefined) return {};
    if (match.reason === undefined || !reasonsOfCalls.has(match.reason)) return { closest: best };
    const candidate = this.input.candidates[best.position]!;
    if (!detailsFit(step, candidate)) return { closest: best, reason: whyNot(step, candidate) };
    if (match.found < 0) return { closest: best };
    // What was looked at is what is wrong; that another call is right would contradict the reason.
    return { closest: this.compare(step, match.found), fitting: referenceTo(candidate.call, best.position) };
  }

  private explainNeverCalled(step: Step): Explanation {
    const similar = nearestTool(step.expected.tool, this.input.index().names());
    return similar === undefined ? {} : { similarTool: similar };
  }

  /** Outwards from where the call was expected, at most so many. */
  private nearestFirst(positions: readonly number[], from: number): number[] {
    if (positions.length <= 1) return [...positions];
    const near = positions.length <= MAX_COMPARED_PER_STEP ? [...positions] : windowAround(positions, from);
    return near.sort((left, right) => Math.abs(left - from) - Math.abs(right - from) || left - right);
  }

  private compare(step: Step, position: number): ClosestCall {
    const { call, args } = this.input.candidates[position]!;
    const { status, turnIndex } = step.expected;
    const { comparisons, notCompared } =
      step.args === undefined
        ? { comparisons: [], notCompared: [] }
        : compareArgs(step.args, comparedArgs(step, args) ?? call.input, step.argsMatch);
    let differences = 0;
    for (const { outcome } of comparisons) if (outcome !== "same") differences++;
    const statusDiffers = status !== undefined && call.status !== status;
    const turnDiffers = turnIndex !== undefined && call.turnIndex !== turnIndex;
    return {
      ...referenceTo(call, position),
      comparisons,
      differences: differences + (statusDiffers ? 1 : 0) + (turnDiffers ? 1 : 0),
      notCompared,
      ...(statusDiffers ? { statusExpected: status, status: call.status } : {}),
      ...(turnDiffers ? { turnExpected: turnIndex } : {}),
    };
  }
}

function windowAround(positions: readonly number[], from: number): number[] {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle]! < from) low = middle + 1;
    else high = middle;
  }
  const start = Math.max(0, Math.min(low - MAX_COMPARED_PER_STEP / 2, positions.length - MAX_COMPARED_PER_STEP));
  return positions.slice(start, start + MAX_COMPARED_PER_STEP);
}
