/**
 * Finds the calls that can match a step without looking at all of them: by name, then by the values of the arguments
 * that must be equal. An index by name alone stays quadratic when few tools are called many times.
 */
import { indexValueOf, indexValueOfStep } from "./index-value.ts";
import { type Candidate, nameFits, type Step } from "./step.ts";

/** Positions of calls in order; `from` skips a beginning that is used up. */
export interface Bucket {
  readonly positions: readonly number[];
  from: number;
}

/** The calls of one tool by their values at these keys. */
interface ValueGroup {
  readonly keys: readonly string[];
  readonly byValue: ReadonlyMap<number, Bucket>;
}

const EMPTY: Bucket = { positions: [], from: 0 };

export class CallIndex {
  private readonly candidates: readonly Candidate[];
  private readonly byName = new Map<string, { bucket: Bucket; groups: ValueGroup[] }>();
  private readonly byGlob = new Map<string, Bucket>();
  /** By the step's own index: each step asks several times. */
  private readonly answers: Bucket[] = [];

  constructor(candidates: readonly Candidate[]) {
    this.candidates = candidates;
    for (let position = 0; position < candidates.length; position++) {
      const { name } = candidates[position]!.call;
      const known = this.byName.get(name);
      if (known === undefined) this.byName.set(name, { bucket: { positions: [position], from: 0 }, groups: [] });
      else (known.bucket.positions as number[]).push(position);
    }
  }

  names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** Calls whose name fits, in order. */
  named(step: Step): Bucket {
    return step.name === undefined ? this.globBucket(step) : (this.byName.get(step.name)?.bucket ?? EMPTY);
  }

  /** Calls that can match: the name fits and the indexed arguments are equal. */
  possible(step: Step): Bucket {
    const known = this.answers[step.index];
    if (known !== undefined) return known;
    const bucket = this.find(step);
    this.answers[step.index] = bucket;
    return bucket;
  }

  private find(step: Step): Bucket {
    if (step.name === undefined || step.indexKeys.length === 0) return this.named(step);
    const named = this.byName.get(step.name);
    if (named === undefined) return EMPTY;
    let group = named.groups.find((candidate) => sameKeys(candidate.keys, step.indexKeys));
    if (group === undefined) {
      group = { keys: step.indexKeys, byValue: this.indexByValue(named.bucket.positions, step.indexKeys) };
      named.groups.push(group);
    }
    return group.byValue.get(indexValueOfStep(step)) ?? EMPTY;
  }

  private indexByValue(positions: readonly number[], keys: readonly string[]): Map<number, Bucket> {
    const byValue = new Map<number, Bucket>();
    for (const position of positions) {
      const value = indexValueOf(this.candidates[position]!.args, keys);
      if (value < 0) continue;
      const bucket = byValue.get(value);
      if (bucket === undefined) byValue.set(value, { positions: [position], from: 0 });
      else (bucket.positions as number[]).push(position);
    }
    return byValue;
  }

  private globBucket(step: Step): Bucket {
    const key = `${step.expected.nameMatch ?? ""} ${step.expected.tool}`;
    const known = this.byGlob.get(key);
    if (known !== undefined) return known;
    const positions: number[] = [];
    for (const [name, { bucket }] of this.byName) if (nameFits(step, name)) positions.push(...bucket.positions);
    const bucket = { positions: positions.sort((left, right) => left - right), from: 0 };
    this.byGlob.set(key, bucket);
    return bucket;
  }
}

export function sameKeys(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
