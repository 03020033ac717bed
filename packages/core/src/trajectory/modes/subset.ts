/** subset: every call is on the list of expected steps; a step allows any number of calls, or one where steps are used up. */
import { sameKeys } from "../call-index.ts";
import { indexValueOf, indexValueOfStep } from "../index-value.ts";
import { type Candidate, detailsFit, type Step, stepFits } from "../step.ts";

/** Positions of the calls that no step allows. With `once`, each call takes the first fitting step that no earlier call took. */
export function callsNotAllowed(steps: readonly Step[], candidates: readonly Candidate[], once = false): number[] {
  const list = new AllowedList(steps, once);
  const notAllowed: number[] = [];
  for (let position = 0; position < candidates.length; position++) {
    if (!list.allows(candidates[position]!)) notAllowed.push(position);
  }
  return notAllowed;
}

/** Steps of one tool that name the same arguments, by the values they ask for. */
interface KeyGroup {
  readonly keys: readonly string[];
  readonly byValue: Map<number, Step[]>;
}

class AllowedList {
  private readonly byName = new Map<string, KeyGroup[]>();
  private readonly globs: Step[] = [];
  private readonly once: boolean;

  constructor(steps: readonly Step[], once: boolean) {
    this.once = once;
    for (const step of steps) {
      if (step.name === undefined) this.globs.push(step);
      else this.add(step, step.name);
    }
  }

  allows(candidate: Candidate): boolean {
    for (const { keys, byValue } of this.byName.get(candidate.call.name) ?? []) {
      const steps = byValue.get(indexValueOf(candidate.args ?? (keys.length === 0 ? {} : undefined), keys));
      if (steps !== undefined && this.take(steps, (step) => detailsFit(step, candidate))) return true;
    }
    return this.take(this.globs, (step) => stepFits(step, candidate));
  }

  private take(steps: Step[], fits: (step: Step) => boolean): boolean {
    const found = steps.findIndex(fits);
    if (found >= 0 && this.once) steps.splice(found, 1);
    return found >= 0;
  }

  private add(step: Step, name: string): void {
    let groups = this.byName.get(name);
    if (groups === undefined) {
      groups = [];
      this.byName.set(name, groups);
    }
    let group = groups.find((candidate) => sameKeys(candidate.keys, step.indexKeys));
    if (group === undefined) {
      group = { keys: step.indexKeys, byValue: new Map() };
      groups.push(group);
    }
    const value = indexValueOfStep(step);
    const same = group.byValue.get(value);
    if (same === undefined) group.byValue.set(value, [step]);
    else same.push(step);
  }
}
