import { compareCodePoints } from "../../canonical/canonical-json.ts";
import { fires, type SignalDefinition } from "./signal.ts";

/** A tool is used that no run of the baseline used. */
export const newSideEffects: SignalDefinition = {
  name: "new_side_effects",
  severity: "moderate",
  detect({ run, knownTools }) {
    return fires(
      "moderate",
      newTools(knownTools, run.sample.tools.keys()).map((tool) => ({
        subject: tool,
        measure: "calls of a tool the baseline does not have",
        unit: "calls",
        current: run.sample.tools.get(tool) ?? 0,
        baseline: 0,
        changePercent: null,
        fromZero: true,
        threshold: 0,
        names: [tool],
      })),
    );
  },
};

/** Tools used now and never before, sorted. */
export function newTools(known: ReadonlySet<string>, used: Iterable<string>): string[] {
  return [...new Set(used)].filter((tool) => !known.has(tool)).sort(compareCodePoints);
}
