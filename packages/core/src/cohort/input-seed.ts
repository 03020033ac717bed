/**
 * The seed of the relabelling, from the runs themselves. One fixed seed would share its lucky or unlucky sample of labellings
 * between all cohorts of a shape for ever; here every cohort draws its own, and the same runs draw the same one again.
 *
 * Runs and their features are added up, so neither the order of files nor that of lines inside them matters, nor where they lie.
 * Cost: one pass over the rows. It need not resist anybody: who wants another sample can ask for it.
 */
import type { Column, Observation } from "./observe.ts";

/** A whole number from 0 to 2^32 - 1. */
export function seedOfRuns(runs: readonly Observation[], { columns, tools }: SeedNames): number {
  const columnMarks = columns.map(({ group, identity }) => markOf(`${group} ${identity}`));
  const toolMarks = tools.map(markOf);
  let seed = 0;
  for (const run of runs) seed = (seed + stirred(markOfRun(run, columnMarks, toolMarks))) | 0;
  return seed >>> 0;
}

/** The names behind the numbers of an observation. */
export interface SeedNames {
  readonly columns: readonly Column[];
  readonly tools: readonly string[];
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

function markOfRun(run: Observation, columnMarks: readonly number[], toolMarks: readonly number[]): number {
  let features = 0;
  for (let index = 0; index < run.columns.length; index++) {
    double[0] = run.values[index]!;
    features = (features + stirred(columnMarks[run.columns[index]!]! ^ stirred(words[0]! ^ stirred(words[1]!)))) | 0;
  }
  let mark = step(step(markOf(`${run.side} ${run.scenario}`), features), run.turns);
  for (const tool of run.names) mark = step(mark, toolMarks[tool]!);
  return run.ended === undefined ? mark : step(mark, markOf(run.ended));
}

/** FNV-1a over the text's code units. */
function markOf(text: string): number {
  let mark = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) mark = step(mark, text.charCodeAt(index));
  return mark;
}

function step(mark: number, next: number): number {
  return Math.imul(mark ^ next, 0x01000193);
}

/** Spreads every bit over all others (the finish of MurmurHash3), so that sums of marks keep their differences. */
function stirred(mark: number): number {
  let mixed = mark ^ (mark >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
