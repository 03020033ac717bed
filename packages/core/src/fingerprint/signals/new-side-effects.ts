import { compareCodePoints } from "../../canonical/canonical-json.ts";
import { named, phrase } from "../../text/phrase.ts";
import { countOf } from "../../text/words.ts";
import { defineSignal, fires } from "./signal.ts";

/** A tool is used that no run of the baseline used. */
export const newSideEffects = defineSignal({
  name: "new_side_effects",
  severity: "moderate",
  headline: "a tool is used that the baseline does not have",
  limits: {},
  measures: ["new_tool"],
  conditions: ["new_side_effects", "new_tools"],
  detect({ run, knownTools }) {
    return fires(
      "moderate",
      newTools(knownTools, run.sample.tools.keys()).map((tool) => ({
        subject: tool,
        measure: "new_tool",
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
  say: ({ subject, current }) =>
    phrase`${named(subject)} is called ${countOf(current ?? 0, "time")}, never seen in the baseline`,
});

/** Tools used now and never before, sorted. */
export function newTools(known: ReadonlySet<string>, used: Iterable<string>): string[] {
  return [...new Set(used)].filter((tool) => !known.has(tool)).sort(compareCodePoints);
}
