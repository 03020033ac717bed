/** A run as the service lists it. Absent means not recorded. */
import type { Status } from "@spoor/core/internal/fingerprint/classify";

export interface ListedRun {
  readonly id: string;
  /** Rises with every run that was evaluated. */
  readonly number: number;
  readonly agent: string;
  readonly name: string;
  readonly release?: string;
  readonly scenario?: string;
  readonly model?: string;
  readonly status: "passed" | "failed" | "not_evaluated";
  readonly verdict: Status;
  readonly receivedAt: number;
  readonly durationMs?: number;
  readonly turns: number;
  readonly calls: number;
  readonly errors: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costMicro?: number;
  readonly callsWithoutResult: number;
  readonly replayed: number;
  readonly standIns: number;
  readonly findings: number;
  readonly behaviour: number;
  readonly format: string;
  readonly supersededBy?: number;
}

export interface RunsAnswer {
  readonly runs: readonly ListedRun[];
  readonly next?: string;
  readonly count?: number;
  /** Whether there are more than were counted. */
  readonly more?: boolean;
  /** Where a text was looked for: in so many runs. */
  readonly looked?: number;
  /** Of these, whose recording is no longer kept. */
  readonly notKept?: number;
}
