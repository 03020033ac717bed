/**
 * How alike two behaviours are: shared tools, kept order, shared kinds of errors, and a weighted composite in [0, 1].
 *
 * Tools are tool calls and HTTP requests; when neither side has any, all steps count. Two empty sides are alike (1).
 * Cost: the common subsequence dominates, left · right / 32 after equal ends are cut off.
 */
import { SpoorError } from "../errors.ts";
import { lcsLength, lcsPairs } from "../stats/lcs.ts";
import { isToolSegment } from "./segments.ts";

/** From here on a behaviour is a variant of the closest known one. */
export const VARIANT_FROM = 0.75;
/** Sums of weights carry rounding; a composite this close to the line counts as on it. */
const TOLERANCE = 1e-12;

export interface SimilarityWeights {
  readonly toolJaccard: number;
  readonly sequenceLcs: number;
  readonly errorJaccard: number;
}

export const defaultWeights: SimilarityWeights = { toolJaccard: 0.4, sequenceLcs: 0.4, errorJaccard: 0.2 };

/** What similarity reads of a run: its segments in fingerprint order, and its kinds of errors. */
export interface Behaviour {
  readonly segments: readonly string[];
  readonly errorPatterns: readonly string[];
}

/** A dimension with the counts behind it: 2 of 3. Both 0 means there was nothing on either side, which is alike. */
export interface Dimension {
  readonly value: number;
  readonly common: number;
  readonly total: number;
}

export interface Similarity {
  readonly toolJaccard: Dimension;
  readonly sequenceLcs: Dimension;
  readonly errorJaccard: Dimension;
  readonly composite: number;
}

export function similarity(left: Behaviour, right: Behaviour, weights: SimilarityWeights = defaultWeights): Similarity {
  const [leftTools, rightTools] = comparedSegments(left.segments, right.segments);
  const toolJaccard = jaccard(leftTools, rightTools);
  const sequenceLcs = share(lcsLength(leftTools, rightTools), Math.max(leftTools.length, rightTools.length));
  const errorJaccard = jaccard(left.errorPatterns, right.errorPatterns);
  return {
    toolJaccard,
    sequenceLcs,
    errorJaccard,
    composite: composite(toolJaccard.value, sequenceLcs.value, errorJaccard.value, weights),
  };
}

export function composite(tools: number, order: number, errors: number, weights: SimilarityWeights): number {
  return weights.toolJaccard * tools + weights.sequenceLcs * order + weights.errorJaccard * errors;
}

/** 0.75 itself is a variant; the unrounded number decides. */
export function isVariant(compositeValue: number): boolean {
  return compositeValue >= VARIANT_FROM - TOLERANCE;
}

/** Size of the intersection over size of the union; repetitions do not count. */
export function jaccard(left: Iterable<string>, right: Iterable<string>): Dimension {
  const one = new Set(left);
  const other = new Set(right);
  let common = 0;
  for (const item of one) if (other.has(item)) common++;
  return share(common, one.size + other.size - common);
}

function share(common: number, total: number): Dimension {
  return { value: total === 0 ? 1 : common / total, common, total };
}

/** Tool segments of both sides, or all segments when neither has a tool. */
function comparedSegments(left: readonly string[], right: readonly string[]): [readonly string[], readonly string[]] {
  const leftTools = left.filter(isToolSegment);
  const rightTools = right.filter(isToolSegment);
  return leftTools.length === 0 && rightTools.length === 0 ? [left, right] : [leftTools, rightTools];
}

/** Weights come from a config or a baseline file: each in [0, 1], together 1. */
export function checkWeights(weights: SimilarityWeights): SimilarityWeights {
  const values = [weights.toolJaccard, weights.sequenceLcs, weights.errorJaccard];
  const sum = values.reduce((total, value) => total + value, 0);
  if (values.every((value) => value >= 0 && value <= 1) && Math.abs(sum - 1) <= 1e-9) return weights;
  throw new SpoorError(
    "fingerprint.bad-weights",
    `Similarity weights must lie in 0 to 1 and sum to 1; they sum to ${sum}.`,
    {
      hint: "The defaults are tool_jaccard 0.4, sequence_lcs 0.4, error_jaccard 0.2.",
    },
  );
}

/** One row of two sequences laid side by side: in both, only in the known behaviour, or only now. */
export interface AlignedStep {
  readonly segment: string;
  readonly side: "both" | "known" | "now";
}

/** Beyond this many cells a side-by-side is neither readable nor cheap. */
const MOST_CELLS = 25_000_000;

/** Both sequences in one list, common steps once; undefined when they are too long to lay side by side. */
export function alignSegments(known: readonly string[], now: readonly string[]): AlignedStep[] | undefined {
  if (known.length * now.length > MOST_CELLS) return undefined;
  const rows: AlignedStep[] = [];
  let left = 0;
  let right = 0;
  const flush = (toLeft: number, toRight: number) => {
    while (left < toLeft) rows.push({ segment: known[left++]!, side: "known" });
    while (right < toRight) rows.push({ segment: now[right++]!, side: "now" });
  };
  for (const [inKnown, inNow] of lcsPairs(known, now)) {
    flush(inKnown, inNow);
    rows.push({ segment: known[inKnown]!, side: "both" });
    left++;
    right++;
  }
  flush(known.length, now.length);
  return rows;
}
