import type { RunComparison } from "./comparison.ts";
import type { DriftOutcome } from "./drift-outcome.ts";
import type { SignalContext } from "./signals/signal.ts";

/** A run beside what its agent is known to do: everything a rule about drift may ask about. */
export interface ComparedRun {
  readonly compared: RunComparison;
  readonly context: SignalContext;
}

/** Where rules plug into a comparison: it knows nothing of policies and takes what they find. */
export type DriftCheck = (runs: readonly ComparedRun[]) => DriftOutcome;
