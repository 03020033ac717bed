/**
 * Limits of drift signals from the environment, under Spoor's prefix or the older tool's. Nothing inside the lenses reads the
 * environment: this is the edge where its names are known.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import type { SignalLimits } from "@spoor/core/internal/fingerprint/signals/signal";

/** The variable without its prefix, the signal and its limit. */
export const limitVariables: readonly (readonly [variable: string, signal: string, limit: string])[] = [
  ["LATENCY_INCREASE_THRESHOLD", "latency_spikes", "increase_percent"],
  ["LATENCY_MAX_MULTIPLIER", "latency_spikes", "max_multiplier"],
  ["LATENCY_AVG_ABSOLUTE_MS", "latency_spikes", "mean_ms"],
  ["LATENCY_MAX_ABSOLUTE_MS", "latency_spikes", "max_ms"],
  ["RETRY_EXPLOSION_THRESHOLD", "retry_explosions", "severe"],
  ["RETRY_WARNING_THRESHOLD", "retry_explosions", "moderate"],
  ["RETRY_EXEMPT_TOOLS", "retry_explosions", "exempt_tools"],
  ["ERROR_INCREASE_THRESHOLD", "error_increases", "points"],
  ["TOOL_USAGE_CHANGE_THRESHOLD", "tool_usage_changes", "change_percent"],
  ["TOKEN_USAGE_SPIKE_THRESHOLD", "token_usage_spike", "increase_percent"],
  ["COMPONENT_LATENCY_DRIFT_THRESHOLD", "component_latency_drift", "increase_percent"],
  ["TOOL_OVERUSE_THRESHOLD", "tool_overuse", "repeated_percent"],
  ["RETRIEVAL_REGRESSION_THRESHOLD", "retrieval_regression", "change_percent"],
];

export function limitsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SignalLimits {
  const limits: Record<string, Record<string, number | readonly string[]>> = {};
  for (const [variable, signal, limit] of limitVariables) {
    const own = environment[`SPOOR_${variable}`];
    const text = own ?? environment[`SPOOLED_${variable}`];
    if (text === undefined) continue;
    const value =
      limit === "exempt_tools" ? names(text) : amount(`${own === undefined ? "SPOOLED" : "SPOOR"}_${variable}`, text);
    // The older variable counts tokens as a fraction; everything here is percent.
    const isFraction = own === undefined && signal === "token_usage_spike" && typeof value === "number";
    limits[signal] = { ...limits[signal], [limit]: isFraction ? value * 100 : value };
  }
  return limits;
}

function names(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

function amount(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new SpoorError("fingerprint.bad-threshold", `${name} is "${text}", which is no number from 0 on.`, {
    consequence: "Nothing was compared: a signal must not fall silent because its limit cannot be read.",
    hint: `Unset ${name}, or give it a number.`,
  });
}
