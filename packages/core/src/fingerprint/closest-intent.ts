/**
 * The known behaviour a run is most like. Upper bounds from tool sets and lengths dismiss most candidates, so that the
 * common subsequence is computed only where it can still win. Ties: more runs first, then the smaller hash.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import { lcsLength } from "../stats/lcs.ts";
import type { Baseline, Intent } from "./baseline.ts";
import { isToolSegment } from "./segments.ts";
import {
  type Behaviour,
  composite,
  jaccard,
  type Similarity,
  type SimilarityWeights,
  similarity,
} from "./similarity.ts";
import { summariseRuns, usualErrors } from "./statistics.ts";

export interface Closest {
  readonly intent: Intent;
  readonly similarity: Similarity;
}

/** Prepared once per baseline, then asked once per run. */
export class IntentIndex {
  private readonly candidates: Candidate[];
  private readonly weights: SimilarityWeights;

  constructor(baseline: Baseline) {
    this.weights = baseline.weights;
    this.candidates = [...baseline.intents.values()].sort(byRunsThenHash).map(candidateOf);
  }

  closest(run: Behaviour): Closest | undefined {
    let best: Candidate | undefined;
    let bestValue = -1;
    const tools = run.segments.filter(isToolSegment);
    for (const candidate of this.candidates) {
      const value = this.value(run, tools, candidate, bestValue);
      if (value > bestValue + 1e-12) {
        best = candidate;
        bestValue = value;
      }
    }
    return best && { intent: best.intent, similarity: similarity(best.behaviour, run, this.weights) };
  }

  /** The similarity to one intent that is already known to be the right one. */
  towards(intent: Intent, run: Behaviour): Closest {
    return { intent, similarity: similarity(behaviourOf(intent), run, this.weights) };
  }

  private value(run: Behaviour, tools: readonly string[], candidate: Candidate, toBeat: number): number {
    const neither = tools.length === 0 && candidate.tools.length === 0;
    const left = neither ? candidate.behaviour.segments : candidate.tools;
    const right = neither ? run.segments : tools;
    const longer = Math.max(left.length, right.length);
    const ratio = longer === 0 ? 1 : Math.min(left.length, right.length) / longer;
    if (composite(1, ratio, 1, this.weights) <= toBeat) return -1;
    const shared = jaccard(left, right).value;
    const errors = jaccard(candidate.behaviour.errorPatterns, run.errorPatterns).value;
    if (composite(shared, ratio, errors, this.weights) <= toBeat) return -1;
    return composite(shared, longer === 0 ? 1 : lcsLength(left, right) / longer, errors, this.weights);
  }
}

interface Candidate {
  readonly intent: Intent;
  readonly behaviour: Behaviour;
  readonly tools: readonly string[];
}

function candidateOf(intent: Intent): Candidate {
  return { intent, behaviour: behaviourOf(intent), tools: intent.segments.filter(isToolSegment) };
}

/** An intent as similarity sees it: its steps, and the kinds of errors that belong to it. */
export function behaviourOf(intent: Intent): Behaviour {
  return { segments: intent.segments, errorPatterns: usualErrors(summariseRuns(intent.window)) };
}

function byRunsThenHash(left: Intent, right: Intent): number {
  return right.runs - left.runs || compareCodePoints(left.hash, right.hash);
}
