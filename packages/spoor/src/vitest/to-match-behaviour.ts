/**
 * `toMatchBehaviour`: the path of a run as a snapshot. What the agent said, with which arguments and how fast takes no
 * part; which models and tools it used, in which order, does.
 */
import { behaviourPath } from "@spoor/core/internal/fingerprint/behaviour-path";
import { fingerprintSegments } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import type { FingerprintMode } from "@spoor/core/internal/fingerprint/mode";
import { segmentsOf } from "@spoor/core/internal/fingerprint/segments";
import { Snapshots } from "vitest";
import { subjectOf } from "./received.ts";

export interface BehaviourOptions {
  /** `sequence` (default) keeps the order of steps, `structural` only asks which there were. */
  readonly mode?: FingerprintMode;
  /** Tells several snapshots of one test apart. */
  readonly hint?: string;
}

type SnapshotState = ThisParameterType<typeof Snapshots.toMatchSnapshot>;

export function toMatchBehaviour(
  this: SnapshotState,
  received: unknown,
  options: BehaviourOptions = {},
): ReturnType<typeof Snapshots.toMatchSnapshot> {
  return Snapshots.toMatchSnapshot.call(this, behaviourText(received, options.mode ?? "sequence"), options.hint);
}

/** What the snapshot holds: the hash, and the path it stands for, so that a difference can be read. */
export function behaviourText(received: unknown, mode: FingerprintMode): string {
  const segments = segmentsOf(subjectOf(received).trace().steps);
  const { version, hash } = fingerprintSegments(segments, mode);
  const head = `fingerprint ${version} ${mode} ${hash}`;
  // Structural behaviour has no order, so no path is written that could differ.
  const lines = mode === "structural" ? [...new Set(segments)].sort() : [behaviourPath(segments), ...segments];
  return [head, ...lines].join("\n");
}
