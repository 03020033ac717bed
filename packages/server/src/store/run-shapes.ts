/** A run as it is evaluated, as it is stored, and as it is asked for. */
import type { Json } from "@spoor/core";

export type Codec = "plain" | "gzip";

/** Figures of a run; absent means not recorded, never 0. */
export interface RunFigures {
  /** The id inside the recording. */
  readonly externalId?: string;
  readonly agent: string;
  readonly noun?: string;
  readonly release?: string;
  readonly scenario?: string;
  readonly trial?: string;
  readonly name: string;
  readonly format: string;
  readonly model?: string;
  readonly status: "passed" | "failed" | "not_evaluated";
  readonly stopReason?: string;
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly turns: number;
  readonly calls: number;
  readonly errors: number;
  readonly callsWithoutResult: number;
  readonly replayed: number;
  readonly standIns: number;
  readonly unknownRecords: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Millionths of a dollar. */
  readonly costMicro?: number;
  readonly hashVersion: string;
  readonly mode: string;
  readonly fingerprint: string;
  readonly structural: string;
  /** Status beside the approved baseline: match, accepted_variant, structural_match, variant, new, no_baseline. */
  readonly verdict: string;
  readonly similarity?: number;
}

/** A run with everything that its evaluation gives, written together. */
export interface EvaluatedRun extends RunFigures {
  readonly contentId: Uint8Array;
  /** The steps of the behaviour, as a fingerprint names them. */
  readonly path: readonly string[];
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly errors: number }[];
  readonly stages: readonly StageResult[];
  readonly findings: readonly NewFinding[];
  readonly body: { readonly codec: Codec; readonly bytes: Uint8Array };
}

/** What one lens said of one run under one configuration; never written over. */
export interface StageResult {
  readonly stage: string;
  readonly configHash: string;
  readonly result: Json;
}

export interface NewFinding {
  readonly configHash: string;
  readonly ruleId: string;
  readonly kind: string;
  readonly severity: string;
  readonly code: string;
  /** The offence's own identity: two findings of one rule with one subject are one. */
  readonly subject: string;
  readonly turnIndex?: number;
  readonly sessionIndex?: number;
  readonly evidence: Json;
}

export interface Finding extends NewFinding {
  readonly id: number;
  readonly runId: number;
}

export interface StoredRun extends RunFigures {
  readonly id: number;
  readonly contentId: Uint8Array;
  /** The content id of the arrival it came with: a body may hold several runs. */
  readonly arrivalId: Uint8Array;
  readonly receivedAt: number;
  readonly behaviourId: number;
  readonly supersededBy?: number;
  readonly findings: number;
}

export interface RunFilter {
  readonly agent?: string;
  readonly tool?: string;
  readonly behaviour?: number;
  readonly status?: string;
  readonly verdict?: string;
  readonly model?: string;
  readonly release?: string;
  readonly scenario?: string;
  readonly rule?: string;
  /** Received from, to (exclusive). */
  readonly from?: number;
  readonly to?: number;
  readonly arrival?: Uint8Array;
  /** Also runs that were replaced; they are not counted anywhere else. */
  readonly superseded?: boolean;
}
