import type { OutputKeys } from "../run-facts.ts";
import { fires, noData, type SignalDefinition, type SignalFinding } from "./signal.ts";

/** A tool's result lost a field that every recorded result had, or has one that none had. */
export const outputSchemaDrift: SignalDefinition = {
  name: "output_schema_drift",
  severity: "severe",
  detect({ run, outputKeys }) {
    if (run.outputKeys.size === 0) return noData("no tool of the run returned named fields");
    if (outputKeys.size === 0) return noData("no tool of the baseline returned named fields");
    const findings: SignalFinding[] = [];
    for (const [tool, now] of run.outputKeys) {
      const known = outputKeys.get(tool);
      if (known === undefined) continue;
      const { added, removed } = schemaChange(known, now);
      if (removed.length > 0) findings.push(finding(tool, "fields no longer returned", removed, known.always.length));
      if (added.length > 0) findings.push(finding(tool, "fields never returned before", added, known.ever.length));
    }
    return fires("severe", findings);
  },
};

export function schemaChange(known: OutputKeys, now: OutputKeys): { added: string[]; removed: string[] } {
  return {
    added: now.ever.filter((key) => !known.ever.includes(key)),
    removed: known.always.filter((key) => !now.always.includes(key)),
  };
}

function finding(tool: string, measure: string, names: readonly string[], baseline: number): SignalFinding {
  return {
    subject: tool,
    measure,
    unit: "fields",
    current: names.length,
    baseline,
    changePercent: null,
    threshold: 0,
    names,
  };
}
