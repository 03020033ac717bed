/** What was received, and what came of it. */
import type { Json } from "@spoor/core";
import type { Codec, EvaluatedRun } from "./run-shapes.ts";

/** What a client said about a body beside the body itself. */
export interface ArrivalSource {
  readonly agent?: string;
  readonly scenario?: string;
  readonly release?: string;
  readonly trial?: string;
  /** The name of the file it came from. */
  readonly name?: string;
  /** The format that claims it. */
  readonly format?: string;
  /** The trace whose spans it was made of; set by `Spans.close`. A later arrival of the same trace replaces the runs of the earlier ones. */
  readonly spanTrace?: string;
  /** Further ones whose runs it replaces: traces without a root that were joined to it. */
  readonly replaces?: readonly string[];
}

/** Bytes as they were received, acknowledged and not evaluated yet. */
export interface Arrival {
  readonly projectId: number;
  /** SHA-256 of the decoded bytes. */
  readonly contentId: Uint8Array;
  readonly source: ArrivalSource;
  readonly codec: Codec;
  readonly body: Uint8Array;
  readonly receivedAt: number;
}

export interface WaitingArrival extends Arrival {
  readonly id: number;
  /** How often its evaluation was begun and nobody saw its end: the process was gone. */
  readonly attempts: number;
  /** How often its evaluation failed. */
  readonly failures: number;
}

/** What came of one arrival, in the order of the arrivals. A thrown error instead means: all of them again, one by one. */
export type Outcome =
  | { readonly kind: "runs"; readonly runs: readonly EvaluatedRun[] }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string; readonly at?: Json };

export interface Rejection {
  readonly id: number;
  readonly contentId: Uint8Array;
  readonly code: string;
  readonly message: string;
  readonly at?: Json;
  readonly receivedAt: number;
  /** The beginning of the body, decoded. */
  readonly head: Uint8Array;
}
