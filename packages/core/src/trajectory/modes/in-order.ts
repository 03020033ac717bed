/**
 * in_order: the steps appear in this order, other calls may stand between them.
 *
 * One pass, one cursor, no way back, as the guide's first implementation does it: a call that was passed over is gone, a
 * call with the right name and other arguments is consumed, and a step that is never called uses up the rest. What the
 * best alignment would have given is reported beside it (align.ts).
 */
import { forEachUnit, type MatchInput, matched, missed, type StepMatch, serveAll } from "../matching.ts";
import { argsFit, type Candidate, detailsFit, nameFits, type Step, stepFits } from "../step.ts";
import type { MissReason } from "../trajectory.ts";

export function matchInOrder(input: MatchInput): StepMatch[] {
  const walk = new Walk(input);
  forEachUnit(
    input.steps,
    (step) => walk.take(step),
    (unit) => {
      if (!walk.takeGroup(unit)) for (const step of unit) walk.take(step);
    },
  );
  return walk.matches;
}

class Walk {
  readonly matches: StepMatch[] = [];
  private readonly input: MatchInput;
  private cursor = 0;
  /** The step whose search ran off the end, and where it had begun. */
  private usedUp: { by: number; from: number } | undefined;

  constructor(input: MatchInput) {
    this.input = input;
  }

  take(step: Step): void {
    const { candidates } = this.input;
    const from = this.cursor;
    while (this.cursor < candidates.length && !nameFits(step, candidates[this.cursor]!.call.name)) this.cursor++;
    if (this.cursor === candidates.length) {
      this.matches.push(this.notFound(step));
      if (from < candidates.length) this.usedUp ??= { by: step.index, from };
      return;
    }
    const position = this.cursor++;
    const candidate = candidates[position]!;
    this.matches.push(detailsFit(step, candidate) ? matched(position) : missed(whyNot(step, candidate), position));
  }

  /** The first turn from here on that serves the whole group, in any order inside it. */
  takeGroup(unit: readonly Step[]): boolean {
    const { candidates } = this.input;
    for (let from = this.cursor; from < candidates.length; ) {
      const end = endOfTurn(candidates, from);
      const positions = Array.from({ length: end - from }, (_, offset) => from + offset);
      const served = serveAll(unit, positions, (step, position) => stepFits(step, candidates[position]!));
      if (served !== undefined) {
        this.matches.push(...served.map(matched));
        this.cursor = Math.max(...served) + 1;
        return true;
      }
      from = end;
    }
    return false;
  }

  private notFound(step: Step): StepMatch {
    const { positions } = this.input.index().named(step);
    if (positions.length === 0) return missed("never_called");
    if (this.usedUp !== undefined && positions.at(-1)! >= this.usedUp.from) {
      return { call: -1, found: -1, reason: "search_used_up", usedUpBy: this.usedUp.by };
    }
    return missed("only_earlier");
  }
}

function endOfTurn(candidates: readonly Candidate[], from: number): number {
  const { turnIndex } = candidates[from]!.call;
  let end = from + 1;
  while (end < candidates.length && candidates[end]!.call.turnIndex === turnIndex) end++;
  return end;
}

/** Why a call with the right name does not serve the step: arguments first, they say most. */
export function whyNot(step: Step, candidate: Candidate): MissReason {
  if (!argsFit(step, candidate)) return "args_differ";
  if (step.expected.status !== undefined && candidate.call.status !== step.expected.status) return "status_differs";
  return "turn_differs";
}
