/** Spans as they are kept, and what is made of them when their trace is closed. */
import type { Json } from "@spoor/core";
import type { Arrival } from "./arrival.ts";

export interface SpanTraceKey {
  readonly projectId: number;
  readonly traceId: string;
}

/** What the store does not know about spans. */
export interface SpanAssembler {
  /** What a closed trace is; undefined when no run is in it. */
  read(spans: readonly StoredSpan[]): Arrival | Fragment | undefined;
  /** Fragments by the runs they are. */
  partition(fragments: readonly StoredFragment[]): readonly (readonly StoredFragment[])[];
  /** Fragments that are one run; of a lone one, `neighbours` are others with which it shares a tie. */
  join(run: readonly StoredFragment[], neighbours: readonly StoredFragment[]): Arrival | undefined;
}

/** A trace without a root. */
export interface Fragment {
  readonly startedAt: number;
  readonly ties: readonly FragmentTie[];
}

export interface FragmentTie {
  readonly text: string;
  readonly side: "offers" | "seeks";
  readonly isWeak: boolean;
}

export interface StoredFragment {
  readonly traceId: string;
  readonly spans: readonly StoredSpan[];
}

/** A span, or a log record that is an event of one. */
export interface StoredSpan {
  readonly traceId: string;
  /** Unlike every other of the trace; what is read back is in its order. */
  readonly spanId: string;
  readonly resource: Json;
  readonly scope: Json;
  readonly span: Json;
}
