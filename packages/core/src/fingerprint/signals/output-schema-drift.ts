import { named, namesList, phrase } from "../../text/phrase.ts";
import type { OutputKeys } from "../run-facts.ts";
import { defineSignal, fires, noData, type SignalFinding } from "./signal.ts";

/** A tool's result lost a field that every recorded result had, or has one that none had. */
export const outputSchemaDrift = defineSignal({
  name: "output_schema_drift",
  severity: "severe",
  headline: "fields of a tool's result changed",
  limits: {},
  measures: ["removed_fields", "added_fields"],
  conditions: ["output_schema_drift"],
  detect({ run, outputKeys }) {
    if (run.outputKeys.size === 0) return noData("no tool of the run returned named fields");
    if (outputKeys.size === 0) return noData("no tool of the baseline returned named fields");
    const findings: SignalFinding[] = [];
    for (const [tool, now] of run.outputKeys) {
      const known = outputKeys.get(tool);
      if (known === undefined) continue;
      const { added, removed } = schemaChange(known, now);
      if (removed.length > 0) findings.push(finding(tool, "removed_fields", removed, known.always.length));
      if (added.length > 0) findings.push(finding(tool, "added_fields", added, known.ever.length));
    }
    return fires("severe", findings);
  },
  say: ({ subject, measure, names = [] }) =>
    measure === "removed_fields"
      ? phrase`${named(subject)} no longer returns ${namesList(names)}`
      : phrase`${named(subject)} now returns ${namesList(names)}, never seen before`,
});

/** Fields that a run's results lack although every recorded result had them, by tool. */
export function lostFields(findings: readonly SignalFinding[]): readonly SignalFinding[] {
  return findings.filter((finding) => finding.measure === "removed_fields");
}

function schemaChange(known: OutputKeys, now: OutputKeys): { added: string[]; removed: string[] } {
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
