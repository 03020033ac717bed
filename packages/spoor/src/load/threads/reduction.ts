/**
 * What is left of a trace when it was read: a thread sends this, and never the trace, which takes longer to send than to read again.
 * Settings and results are plain data, as `structuredClone` copies it.
 */
import type { Trace } from "@spoor/core";

export interface Reduction<Settings, Result> {
  /** Under which a thread finds it (`reductions.ts`). */
  readonly name: string;
  /** It asks only what was done: what was said need not be kept while a file is read. */
  readonly onlySteps?: true;
  /** Called once per thread. */
  start(settings: Settings): (trace: Trace) => Result;
  /** What is left of several traces as one, where that is less to send: it must not matter how they are put together. */
  join?(parts: readonly Result[]): Result;
}

export function defineReduction<Settings, Result>(reduction: Reduction<Settings, Result>): Reduction<Settings, Result> {
  return reduction;
}
