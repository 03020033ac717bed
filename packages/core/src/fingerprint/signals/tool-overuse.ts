import { amount, named, phrase } from "../../text/phrase.ts";
import { defineSignal, fires, type SignalFinding } from "./signal.ts";

/**
 * A tool is called more than needed: more than half of its calls repeat an earlier successful call of the same run with
 * the same arguments (going in circles counts too), and the baseline's own share was lower.
 */
export const toolOveruse = defineSignal({
  name: "tool_overuse",
  severity: "moderate",
  headline: "calls repeat earlier ones",
  limits: { repeated_percent: { preset: 50, help: "share of calls that repeat an earlier one, in percent" } },
  above: ["repeated_percent"],
  measures: ["repeated_share"],
  conditions: ["tool_overuse"],
  detect({ run, known }, { repeated_percent: limit }) {
    const findings: SignalFinding[] = [];
    for (const [tool, redundant] of run.sample.redundant) {
      const now = (redundant / run.sample.tools.get(tool)!) * 100;
      const before = (known?.redundantShare.get(tool) ?? 0) * 100;
      if (now <= limit || now <= before) continue;
      findings.push({
        subject: tool,
        measure: "repeated_share",
        unit: "percent",
        current: now,
        baseline: known === undefined ? null : before,
        changePercent: known === undefined || before === 0 ? null : ((now - before) / before) * 100,
        ...(before === 0 ? { fromZero: true as const } : {}),
        threshold: limit,
      });
    }
    return fires("moderate", findings);
  },
  say: ({ subject, current }) =>
    phrase`${amount(current, "percent")} of the calls of ${named(subject)} repeat an earlier one`,
});
