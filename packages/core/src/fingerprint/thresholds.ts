/** Where drift signals begin. Every change is in percent; the environment may set them, also under the older names. */
import { SpoorError } from "../errors.ts";

export interface Thresholds {
  readonly latencyIncreasePercent: number;
  readonly latencyMaxMultiplier: number;
  readonly latencyAvgMs: number;
  readonly latencyMaxMs: number;
  readonly retryHigh: number;
  readonly retryMedium: number;
  readonly retryExemptTools: readonly string[];
  readonly errorIncreasePoints: number;
  readonly toolUsageChangePercent: number;
  readonly tokenUsagePercent: number;
  readonly componentLatencyPercent: number;
  readonly toolOverusePercent: number;
  readonly retrievalRegressionPercent: number;
}

export const defaultThresholds: Thresholds = {
  latencyIncreasePercent: 50,
  latencyMaxMultiplier: 2,
  latencyAvgMs: 5000,
  latencyMaxMs: 30_000,
  retryHigh: 5,
  retryMedium: 3,
  retryExemptTools: [],
  errorIncreasePoints: 10,
  toolUsageChangePercent: 50,
  tokenUsagePercent: 50,
  componentLatencyPercent: 100,
  toolOverusePercent: 50,
  retrievalRegressionPercent: 20,
};

type NumericThreshold = Exclude<keyof Thresholds, "retryExemptTools">;

/** Names without their prefix (`SPOOR_` or `SPOOLED_`). */
export const thresholdVariables: readonly (readonly [string, NumericThreshold])[] = [
  ["LATENCY_INCREASE_THRESHOLD", "latencyIncreasePercent"],
  ["LATENCY_MAX_MULTIPLIER", "latencyMaxMultiplier"],
  ["LATENCY_AVG_ABSOLUTE_MS", "latencyAvgMs"],
  ["LATENCY_MAX_ABSOLUTE_MS", "latencyMaxMs"],
  ["RETRY_EXPLOSION_THRESHOLD", "retryHigh"],
  ["RETRY_WARNING_THRESHOLD", "retryMedium"],
  ["ERROR_INCREASE_THRESHOLD", "errorIncreasePoints"],
  ["TOOL_USAGE_CHANGE_THRESHOLD", "toolUsageChangePercent"],
  ["TOKEN_USAGE_SPIKE_THRESHOLD", "tokenUsagePercent"],
  ["COMPONENT_LATENCY_DRIFT_THRESHOLD", "componentLatencyPercent"],
  ["TOOL_OVERUSE_THRESHOLD", "toolOverusePercent"],
  ["RETRIEVAL_REGRESSION_THRESHOLD", "retrievalRegressionPercent"],
];

export function thresholdsFrom(environment: Readonly<Record<string, string | undefined>>): Thresholds {
  const thresholds: Record<string, number | readonly string[]> = { ...defaultThresholds };
  for (const [name, key] of thresholdVariables) {
    const spoor = environment[`SPOOR_${name}`];
    const text = spoor ?? environment[`SPOOLED_${name}`];
    if (text === undefined) continue;
    const value = parseThreshold(spoor === undefined ? `SPOOLED_${name}` : `SPOOR_${name}`, text);
    // The older variable counts tokens as a fraction; everything here is percent.
    thresholds[key] = spoor === undefined && key === "tokenUsagePercent" ? value * 100 : value;
  }
  const exempt = environment["SPOOR_RETRY_EXEMPT_TOOLS"] ?? environment["SPOOLED_RETRY_EXEMPT_TOOLS"];
  if (exempt !== undefined)
    thresholds["retryExemptTools"] = exempt
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
  return thresholds as unknown as Thresholds;
}

function parseThreshold(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new SpoorError("fingerprint.bad-threshold", `${name} is "${text}", which is no number from 0 on.`, {
    consequence: "Nothing was compared: a signal must not fall silent because its threshold cannot be read.",
    hint: `Unset ${name}, or give it a number.`,
  });
}
