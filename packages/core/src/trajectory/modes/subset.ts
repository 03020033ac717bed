/** subset: every call is on the list of expected steps; a step may allow any number of calls. */
import { type Candidate, detailsFit, indexValueOf, indexValueOfStep, type Step } from "../step.ts";

/** Positions of the calls that no step allows. */
export function callsNotAllowed(steps: readonly Step[], candidates: readonly Candidate[]): number[] {
  const list = new AllowedList(steps);
  const notAllowed: number[] = [];
  for (let position = 0; position < candidates.length; position++) {
    if (!list.allows(candidates[position]!)) notAllowed.push(position);
  }
  return notAllowed;
}

interface KeyGroup {
  readonly keys: readonly string[];
  readonly byValue: Map<string, Step[]>;
}

class AllowedList {
  private readonly byName = new Map<string, KeyGroup[]>();
  private readonly globs: readonly Step[];

  constructor(steps: readonly Step[]) {
    this.globs = steps.filter((step) => step.name === undefined);
    const groups = new Map<string, KeyGroup>();
    for (const step of steps) {
      if (step.name === undefined) continue;
      const id = `${step.name}\u0000${step.indexKeys.join("\u0000")}`;
      let group = groups.get(id);
      if (group === undefined) {
        group = { keys: step.indexKeys, byValue: new Map() };
        groups.set(id, group);
        const named = this.byName.get(step.name);
        if (named === undefined) this.byName.set(step.name, [group]);
        else named.push(group);
      }
      const value = indexValueOfStep(step);
      const same = group.byValue.get(value);
      if (same === undefined) group.byValue.set(value, [step]);
      else same.push(step);
    }
  }

  allows(candidate: Candidate): boolean {
    for (const { keys, byValue } of this.byName.get(candidate.call.name) ?? []) {
      const value = keys.length === 0 ? "" : indexValueOf(candidate.args, keys);
      const steps = value === undefined ? undefined : byValue.get(value);
      if (steps?.some((step) => detailsFit(step, candidate))) return true;
    }
    return this.globs.some((step) => step.nameFits(candidate.call.name) && detailsFit(step, candidate));
  }
}
