/** Every drift signal, in the order of reports. A new one is one file, one test and one line here. */
import { componentLatencyDrift } from "./component-latency-drift.ts";
import { errorIncreases } from "./error-increases.ts";
import { latencySpikes } from "./latency-spikes.ts";
import { newBehaviorPattern } from "./new-behavior-pattern.ts";
import { newSideEffects } from "./new-side-effects.ts";
import { outputSchemaDrift } from "./output-schema-drift.ts";
import { retrievalRegression } from "./retrieval-regression.ts";
import { retryExplosions } from "./retry-explosions.ts";
import type { Signal, SignalContext, SignalDefinition } from "./signal.ts";
import { tokenUsageSpike } from "./token-usage-spike.ts";
import { toolOveruse } from "./tool-overuse.ts";
import { toolUsageChanges } from "./tool-usage-changes.ts";

export const signals: readonly SignalDefinition[] = [
  newBehaviorPattern,
  newSideEffects,
  latencySpikes,
  retryExplosions,
  errorIncreases,
  toolUsageChanges,
  tokenUsageSpike,
  componentLatencyDrift,
  toolOveruse,
  retrievalRegression,
  outputSchemaDrift,
];

export const signalNames: readonly string[] = signals.map((signal) => signal.name);

export function signalNamed(name: string): SignalDefinition | undefined {
  return signals.find((signal) => signal.name === name);
}

export interface SignalReport {
  readonly fired: readonly Signal[];
  /** Signals that could not be evaluated, and why. */
  readonly notEvaluated: readonly { readonly name: string; readonly why: string }[];
}

export function detectSignals(context: SignalContext): SignalReport {
  const fired: Signal[] = [];
  const notEvaluated: { name: string; why: string }[] = [];
  for (const definition of signals) {
    const outcome = definition.detect(context);
    if (outcome.state === "no_data") notEvaluated.push({ name: definition.name, why: outcome.why });
    if (outcome.state === "fires") {
      fired.push({ name: definition.name, severity: outcome.severity, findings: outcome.findings });
    }
  }
  return { fired, notEvaluated };
}
