/**
 * Finds the calls that can match a step without looking at all of them: by name, then by the values of the arguments
 * that must be equal. An index by name alone stays quadratic when few tools are called many times.
 */
import { type Candidate, indexValueOf, indexValueOfStep, type Step } from "./step.ts";

/** Positions of calls in order; `from` skips a beginning that is used up. */
export interface Bucket {
  readonly positions: readonly number[];
  from: number;
}

const EMPTY: Bucket = { positions: [], from: 0 };

export class CallIndex {
  private readonly candidates: readonly Candidate[];
  private readonly byName = new Map<string, number[]>();
  private readonly byValue = new Map<string, Map<string, Bucket>>();
  private readonly byGlob = new Map<string, Bucket>();
  private readonly nameBuckets = new Map<string, Bucket>();

  constructor(candidates: readonly Candidate[]) {
    this.candidates = candidates;
    for (let position = 0; position < candidates.length; position++) {
      const { name } = candidates[position]!.call;
      const positions = this.byName.get(name);
      if (positions === undefined) this.byName.set(name, [position]);
      else positions.push(position);
    }
  }

  names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** Calls whose name fits, in order. */
  named(step: Step): Bucket {
    if (step.name === undefined) return this.globBucket(step);
    let bucket = this.nameBuckets.get(step.name);
    if (bucket === undefined) {
      bucket = { positions: this.byName.get(step.name) ?? EMPTY.positions, from: 0 };
      this.nameBuckets.set(step.name, bucket);
    }
    return bucket;
  }

  /** Calls that can match: the name fits and the indexed arguments are equal. */
  possible(step: Step): Bucket {
    if (step.name === undefined || step.indexKeys.length === 0) return this.named(step);
    const group = `${step.name}\u0000${step.indexKeys.join("\u0000")}`;
    let values = this.byValue.get(group);
    if (values === undefined) {
      values = this.indexByValue(step.name, step.indexKeys);
      this.byValue.set(group, values);
    }
    return values.get(indexValueOfStep(step)) ?? EMPTY;
  }

  private indexByValue(name: string, keys: readonly string[]): Map<string, Bucket> {
    const values = new Map<string, Bucket>();
    for (const position of this.byName.get(name) ?? []) {
      const value = indexValueOf(this.candidates[position]!.args, keys);
      if (value === undefined) continue;
      const bucket = values.get(value);
      if (bucket === undefined) values.set(value, { positions: [position], from: 0 });
      else (bucket.positions as number[]).push(position);
    }
    return values;
  }

  private globBucket(step: Step): Bucket {
    const known = this.byGlob.get(step.expected.tool);
    if (known !== undefined) return known;
    const positions: number[] = [];
    for (const [name, found] of this.byName) if (step.nameFits(name)) positions.push(...found);
    const bucket = { positions: positions.sort((left, right) => left - right), from: 0 };
    this.byGlob.set(step.expected.tool, bucket);
    return bucket;
  }
}
