import { fires, type SignalDefinition, type SignalFinding } from "./signal.ts";

/**
 * A tool is called more than needed: more than half of its calls repeat an earlier successful call of the same run with
 * the same arguments (going in circles counts too), and the baseline's own share was lower.
 */
export const toolOveruse: SignalDefinition = {
  name: "tool_overuse",
  severity: "moderate",
  detect({ run, known, thresholds }) {
    const findings: SignalFinding[] = [];
    for (const [tool, redundant] of run.sample.redundant) {
      const now = (redundant / run.sample.tools.get(tool)!) * 100;
      const before = (known?.redundantShare.get(tool) ?? 0) * 100;
      if (now <= thresholds.toolOverusePercent || now <= before) continue;
      findings.push({
        subject: tool,
        measure: "share of calls that repeat an earlier one",
        unit: "percent",
        current: now,
        baseline: known === undefined ? null : before,
        changePercent: known === undefined || before === 0 ? null : ((now - before) / before) * 100,
        ...(before === 0 ? { fromZero: true as const } : {}),
        threshold: thresholds.toolOverusePercent,
      });
    }
    return fires("moderate", findings);
  },
};
