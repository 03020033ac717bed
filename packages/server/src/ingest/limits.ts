/** How much the service takes, of whom and at once. What is above a limit is refused with the limit's name, never cut. */
export interface Limits {
  /** A body as it is sent. */
  readonly wireBytes: number;
  /** A body after it was unpacked. */
  readonly decodedBytes: number;
  /** Requests whose bodies are being read or stored. */
  readonly requests: number;
  /** Bytes that these hold. */
  readonly heldBytes: number;
  /** What a token may send in a second, and how much at once after a pause. */
  readonly perSecond: number;
  readonly burst: number;
  /** Spans of one OTLP request. */
  readonly spans: number;
  /** Older arrivals that wait for evaluation: then projects with more than their share wait. */
  readonly lagMs: number;
  /** Of the disk below the file engine: both must stay free. */
  readonly freeBytes: number;
  readonly freeShare: number;
  /** Clients that listen to events. */
  readonly listeners: number;
  /** Until the head of a request is there, and until all of it is. */
  readonly headMs: number;
  readonly bodyMs: number;
}

const MIB = 1024 * 1024;

export const LIMITS: Limits = {
  wireBytes: 16 * MIB,
  decodedBytes: 64 * MIB,
  requests: 512,
  heldBytes: 128 * MIB,
  perSecond: 200,
  burst: 1_000,
  spans: 10_000,
  lagMs: 5 * 60_000,
  freeBytes: 1024 * MIB,
  freeShare: 0.05,
  listeners: 200,
  headMs: 10_000,
  bodyMs: 60_000,
};
