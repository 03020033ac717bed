/** What lies below and beside the rows: sessions, turns, parts of a turn, tokens; events of the harness, attachments, money. */
import type { BlobChange } from "./blobs.ts";
import type { CostAttribution } from "./cost-attribution.ts";
import type { HarnessChange } from "./harness.ts";
import type { SessionResult } from "./sessions.ts";
import type { SpanChange } from "./spans.ts";
import type { TokenDiff } from "./tokens.ts";

export const levels = ["trace", "session", "turn", "span", "token"] as const;
export type Level = (typeof levels)[number];

export interface DiffLayers {
  readonly level: Level;
  readonly sessions?: readonly (SessionResult & { readonly traceIndex: number })[];
  readonly turns?: readonly TurnLine[];
  readonly spans?: readonly SpanLine[];
  readonly tokens?: TokenDiff;
  /** Where a difference in price comes from; present when both sides have a price. */
  readonly cost?: CostAttribution;
  /** Retries, rate limits, guardrails and the like whose number or severity changed. */
  readonly harness?: readonly HarnessChange[];
  /** Attachments that changed. */
  readonly blobs?: readonly BlobChange[];
}

/** One turn pair with its numbers. */
export interface TurnLine {
  readonly traceIndex: number;
  readonly baselineTurn?: number;
  readonly candidateTurn?: number;
  readonly change: string;
}

/** The parts of one turn pair that changed. */
export interface SpanLine {
  readonly traceIndex: number;
  readonly baselineTurn: number;
  readonly candidateTurn: number;
  readonly parts: readonly SpanChange[];
}
