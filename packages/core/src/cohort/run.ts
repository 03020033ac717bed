import type { Json } from "../trace/json.ts";

export const sides = ["baseline", "candidate"] as const;
export type Side = (typeof sides)[number];

/**
 * How a run ended without an answer: no model response at all, an error after the last one, or cut off (a request that nothing
 * answered, or a last response that ran out of room).
 */
export type Ending = "no_response" | "error" | "cut_off";

/** One run of an agent on one scenario: what the cohort lens keeps of a trace. */
export interface CohortRun {
  readonly scenario: string;
  /** The whole name of its file, where only that names the scenario: a number at its end may count repeats or tasks. */
  readonly wholeName?: string;
  readonly side: Side;
  /** Tool calls in order. */
  readonly calls: readonly CohortCall[];
  /** Number of model responses. A run without any counts as one without an answer, and takes no other part. */
  readonly turns: number;
  /** One entry per response that has text. */
  readonly texts: readonly string[];
  /** For each text, how many calls the run had made before it; absent when the source does not say. */
  readonly textsAfter?: readonly number[];
  /** Why the run ended; absent when the source does not say. */
  readonly stop?: string;
  /** Absent when the run ended with an answer. */
  readonly ended?: Ending;
  /** Largest number of calls in one response; when absent, 1 if there are calls. */
  readonly maxParallel?: number;
  readonly outputTokens?: number;
  /** Shown or used to explain, never tested. */
  readonly origin?: RunOrigin;
}

export interface CohortCall {
  readonly name: string;
  readonly args?: Json;
  readonly error?: boolean;
  /** An explicit statement that this tool changes the world or does not; when absent, its name decides. */
  readonly effect?: boolean;
}

export interface RunOrigin {
  /** Key and name of the trace it was made from. */
  readonly key?: string;
  readonly name?: string;
  readonly path?: string;
  /** Name inside a file that holds several traces. */
  readonly entry?: string;
  readonly traceId?: string;
  readonly format?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** Sum of the recorded model response times. */
  readonly responseMs?: number;
}
