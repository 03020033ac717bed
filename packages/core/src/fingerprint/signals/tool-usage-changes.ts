import { compareCodePoints } from "../../canonical/canonical-json.ts";
import { amount, named, phrase } from "../../text/phrase.ts";
import { type Change, change, defineSignal, fires, noData } from "./signal.ts";

/** A tool is called more than half as often again, or less than half as often, as in the closest known behaviour. */
export const toolUsageChanges = defineSignal({
  name: "tool_usage_changes",
  severity: "moderate",
  headline: "a tool is called more or less often",
  limits: { change_percent: { preset: 50, help: "change of the calls per run in either direction, in percent" } },
  above: ["change_percent"],
  measures: ["calls_per_run"],
  conditions: ["tool_usage_change"],
  detect({ run, known, scope }, { change_percent: limit }) {
    if (known === undefined) return noData("there is no known behaviour to compare with");
    const tools = [...new Set([...known.toolCallCounts.keys(), ...run.sample.tools.keys()])].sort(compareCodePoints);
    return fires(
      "moderate",
      tools.flatMap((tool) => {
        const before = known.toolCallCounts.get(tool) ?? 0;
        const now = run.sample.tools.get(tool) ?? 0;
        const range = known.seen.toolCalls.get(tool);
        if (scope === "family" && range !== undefined && now >= range.min && now <= range.max) return [];
        const moved = usageChange(before, now, limit);
        if (moved === undefined) return [];
        return [
          {
            subject: tool,
            measure: "calls_per_run",
            unit: "calls" as const,
            current: now,
            baseline: before,
            ...moved,
            threshold: limit,
          },
        ];
      }),
    );
  },
  say({ subject, current, baseline }) {
    const [now, before] = [current ?? 0, baseline ?? 0];
    return phrase`${named(subject)} per run ${now > before ? "rose" : "fell"} from ${amount(before)} ${before === 1 ? "call" : "calls"} to ${amount(now)}`;
  },
});

/** The change when it is large enough in either direction, else undefined. */
export function usageChange(before: number, now: number, limitPercent: number): Change | undefined {
  const moved = change(before, now);
  if (moved.fromZero) return moved;
  return Math.abs(moved.changePercent ?? 0) > limitPercent ? moved : undefined;
}
