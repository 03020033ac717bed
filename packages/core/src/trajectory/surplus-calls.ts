/**
 * Calls beyond an exact sequence: those of a tool that was called more often than it was expected. Which of several calls
 * of one tool is the surplus one is told by the alignment that keeps most of both orders and, among equals, most arguments.
 * A call that only stands at another place than expected is not surplus.
 *
 * Cost: linear where the sequences agree at both ends, and steps times calls in between; beyond MAX_CELLS a single walk.
 */
import type { MatchInput } from "./matching.ts";
import { type Candidate, detailsFit, nameFits, type Step, stepFits } from "./step.ts";

const MAX_CELLS = 250_000;
/** What a pair counts whose names agree; agreeing details add 1, so that no number of them outweighs a name. */
const NAME = 2 * Math.sqrt(MAX_CELLS);

/** Positions, ascending. */
export function surplusCalls(input: MatchInput): number[] {
  const start = agreeingStart(input);
  const end = agreeingEnd(input, start);
  const middle = {
    steps: input.steps.slice(start, input.steps.length - end),
    candidates: input.candidates.slice(start, input.candidates.length - end),
  };
  const served = middle.steps.length * middle.candidates.length <= MAX_CELLS ? aligned(middle) : walked(middle);
  const used = new Set(served);
  const owed = new OwedSteps(middle.steps.filter((_, index) => served[index]! < 0));
  return middle.candidates.flatMap(({ call }, index) =>
    used.has(index) || owed.take(call.name) ? [] : [start + index],
  );
}

interface Middle {
  readonly steps: readonly Step[];
  readonly candidates: readonly Candidate[];
}

function agreeingStart({ steps, candidates }: Middle): number {
  const most = Math.min(steps.length, candidates.length);
  let at = 0;
  while (at < most && stepFits(steps[at]!, candidates[at]!)) at++;
  return at;
}

function agreeingEnd({ steps, candidates }: Middle, start: number): number {
  const most = Math.min(steps.length, candidates.length) - start;
  let end = 0;
  while (end < most && stepFits(steps[steps.length - 1 - end]!, candidates[candidates.length - 1 - end]!)) end++;
  return end;
}

/** For each step the index of its call, or -1: the heaviest common subsequence, and of equals the one that uses early calls. */
function aligned({ steps, candidates }: Middle): Int32Array {
  const width = candidates.length + 1;
  // best[row, column]: the most that the steps from row on and the calls from column on can have in common.
  const best = new Int32Array((steps.length + 1) * width);
  const at = (row: number, column: number) => row * width + column;
  for (let row = steps.length - 1; row >= 0; row--) {
    for (let column = candidates.length - 1; column >= 0; column--) {
      const pair = weightOf(steps[row]!, candidates[column]!);
      const skip = Math.max(best[at(row + 1, column)]!, best[at(row, column + 1)]!);
      best[at(row, column)] = pair === 0 ? skip : Math.max(skip, pair + best[at(row + 1, column + 1)]!);
    }
  }
  const served = new Int32Array(steps.length).fill(-1);
  for (let row = 0, column = 0; row < steps.length && column < candidates.length; ) {
    const here = best[at(row, column)]!;
    const pair = weightOf(steps[row]!, candidates[column]!);
    if (pair > 0 && here === pair + best[at(row + 1, column + 1)]!) served[row++] = column++;
    else if (here === best[at(row + 1, column)]!) row++;
    else column++;
  }
  return served;
}

function weightOf(step: Step, candidate: Candidate): number {
  if (!nameFits(step, candidate.call.name)) return 0;
  return detailsFit(step, candidate) ? NAME + 1 : NAME;
}

/** One pass: each call that is what the next step asks for serves it. */
function walked({ steps, candidates }: Middle): Int32Array {
  const served = new Int32Array(steps.length).fill(-1);
  let row = 0;
  for (const [index, { call }] of candidates.entries()) {
    if (row < steps.length && nameFits(steps[row]!, call.name)) served[row++] = index;
  }
  return served;
}

/** Steps that no call serves in their order; a call elsewhere may be the one they ask for. */
class OwedSteps {
  private readonly counts = new Map<string, number>();
  private readonly globs: Step[] = [];

  constructor(steps: readonly Step[]) {
    for (const step of steps) {
      if (step.name === undefined) this.globs.push(step);
      else this.counts.set(step.name, (this.counts.get(step.name) ?? 0) + 1);
    }
  }

  /** Whether one of them asks for this tool; it does so once. */
  take(tool: string): boolean {
    const count = this.counts.get(tool) ?? 0;
    if (count > 0) {
      this.counts.set(tool, count - 1);
      return true;
    }
    const glob = this.globs.findIndex((step) => nameFits(step, tool));
    if (glob < 0) return false;
    this.globs.splice(glob, 1);
    return true;
  }
}
