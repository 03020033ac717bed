import { compareCodePoints } from "../../canonical/canonical-json.ts";
import type { Thresholds } from "../thresholds.ts";
import { type Change, change, fires, noData, type SignalDefinition } from "./signal.ts";

/** A tool is called more than half as often again, or less than half as often, as in the closest known behaviour. */
export const toolUsageChanges: SignalDefinition = {
  name: "tool_usage_changes",
  severity: "moderate",
  detect({ run, known, thresholds, scope }) {
    if (known === undefined) return noData("there is no known behaviour to compare with");
    const tools = [...new Set([...known.toolCallCounts.keys(), ...run.sample.tools.keys()])].sort(compareCodePoints);
    return fires(
      "moderate",
      tools.flatMap((tool) => {
        const before = known.toolCallCounts.get(tool) ?? 0;
        const now = run.sample.tools.get(tool) ?? 0;
        const range = known.seen.toolCalls.get(tool);
        if (scope === "family" && range !== undefined && now >= range.min && now <= range.max) return [];
        const moved = usageChange(before, now, thresholds);
        if (moved === undefined) return [];
        return [
          {
            subject: tool,
            measure: "calls per run",
            unit: "calls" as const,
            current: now,
            baseline: before,
            ...moved,
            threshold: thresholds.toolUsageChangePercent,
          },
        ];
      }),
    );
  },
};

/** The change when it is large enough in either direction, else undefined. */
export function usageChange(before: number, now: number, limits: Thresholds): Change | undefined {
  const moved = change(before, now);
  if (moved.fromZero) return moved;
  return Math.abs(moved.changePercent ?? 0) > limits.toolUsageChangePercent ? moved : undefined;
}
