/**
 * The best alignment of expected steps with calls: both keep their order, and as many aspects as possible are hit.
 *
 * A weighted longest common subsequence over the pairs that fit, with a Fenwick tree of prefix maxima (the scheme of Hunt
 * and Szymanski, 1977, with weights). Cost: O(r log n) for r fitting pairs, found through the call index; undefined when
 * there are more than `maxPairs`.
 */
import type { MatchInput, StepMatch } from "./matching.ts";
import { matched, missed } from "./matching.ts";
import { type Candidate, detailsFit, type Step } from "./step.ts";

interface Link {
  readonly step: number;
  readonly position: number;
  readonly weight: number;
  readonly before: Link | undefined;
}

/** For each step the position of its call, or -1. */
export function alignOptimally(input: MatchInput, maxPairs: number): Int32Array | undefined {
  const index = input.index();
  let pairs = 0;
  for (const step of input.steps) {
    pairs += index.possible(step).positions.length;
    if (pairs > maxPairs) return undefined;
  }
  const best = new PrefixMaxima(input.candidates.length);
  for (const step of input.steps) {
    const { positions } = index.possible(step);
    // From the last to the first, so that one step never follows itself.
    for (let at = positions.length - 1; at >= 0; at--) {
      const position = positions[at]!;
      const candidate = input.candidates[position]!;
      if (!detailsFit(step, candidate)) continue;
      const before = best.before(position);
      best.offer({ step: step.index, position, weight: (before?.weight ?? 0) + weightOf(step, candidate), before });
    }
  }
  const positions = new Int32Array(input.steps.length).fill(-1);
  for (let link = best.before(input.candidates.length); link !== undefined; link = link.before) {
    positions[link.step] = link.position;
  }
  return positions;
}

/** A step counts one, a limit that holds another; between equals the one whose limit cannot be checked is preferred. */
function weightOf(step: Step, { call }: Candidate): number {
  const limit = step.expected.maxDurationMs;
  if (limit === undefined) return 2;
  if (call.durationMs === undefined) return 3;
  return call.durationMs <= limit ? 4 : 2;
}

/** The alignment as matches, with a reason for every step that has no call. */
export function alignedMatches(input: MatchInput, positions: Int32Array): StepMatch[] {
  return input.steps.map((step) => {
    const position = positions[step.index]!;
    if (position >= 0) return matched(position);
    if (input.index().named(step).positions.length === 0) return missed("never_called");
    const fits = input
      .index()
      .possible(step)
      .positions.some((at) => detailsFit(step, input.candidates[at]!));
    return missed(fits ? "out_of_order" : "args_differ");
  });
}

/** The heaviest chain that ends before a position. */
class PrefixMaxima {
  private readonly tree: (Link | undefined)[];

  constructor(length: number) {
    this.tree = new Array(length + 1).fill(undefined);
  }

  before(position: number): Link | undefined {
    let best: Link | undefined;
    for (let at = position; at > 0; at -= at & -at) {
      const link = this.tree[at];
      if (link !== undefined && (best === undefined || link.weight > best.weight)) best = link;
    }
    return best;
  }

  offer(link: Link): void {
    for (let at = link.position + 1; at < this.tree.length; at += at & -at) {
      const known = this.tree[at];
      if (known === undefined || link.weight > known.weight) this.tree[at] = link;
    }
  }
}
