/** What a capture is given, and what it says in the end. */
import type { Redaction } from "../redact/redaction.ts";
import type { JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { CaptureProblem, ProblemCode, RunFile } from "./seen.ts";

export interface CaptureOptions {
  /**
   * Where records go. May throw: the capture counts it and goes on. What it returns matters only where it is "fresh": the record is
   * the first of another file, so that later requests cannot be told by what stood before it.
   */
  readonly write: (file: RunFile, record: TraceRecord) => unknown;
  /** Door, SDK, runtime, commit: the payload of the first record of each file begins with it. */
  readonly metadata: JsonObject;
  /** A random text, for the ids of traces. */
  readonly newId: () => string;
  /** Absent: nothing is redacted. */
  readonly redaction?: Redaction | undefined;
  /** `blind`: names, sizes, times and tokens, and nothing anyone said. */
  readonly content?: "full" | "blind" | undefined;
  /** Keys the hashes of blind recordings, so that those of several runs can be compared; by default each run has its own. */
  readonly hashKey?: string | undefined;
  /** Bodies beyond it are counted, not kept. */
  readonly maxBodyBytes?: number | undefined;
  readonly onProblem?: ((problem: CaptureProblem) => void) | undefined;
  /** Conversations remembered at once; the longest unheard of is closed when another begins. */
  readonly maxRuns?: number | undefined;
}

export interface CaptureSummary {
  readonly runs: number;
  readonly requests: number;
  readonly responses: number;
  readonly errors: number;
  readonly retries: number;
  /** Answers that broke off. */
  readonly cuts: number;
  readonly toolsRun: number;
  readonly toolsTold: number;
  readonly auxiliary: number;
  readonly problems: Readonly<Partial<Record<ProblemCode, number>>>;
}
