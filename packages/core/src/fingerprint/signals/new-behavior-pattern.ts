import { named, phrase } from "../../text/phrase.ts";
import { defineSignal, fires, QUIET } from "./signal.ts";

/** The run's hash belongs to no known behaviour. Information only: on real agents most runs are new in this sense. */
export const newBehaviorPattern = defineSignal({
  name: "new_behavior_pattern",
  severity: "minor",
  headline: "the path is unknown",
  limits: {},
  measures: ["fingerprint"],
  conditions: [],
  detect({ run, status }) {
    if (status === "match" || status === "accepted_variant" || status === "no_baseline") return QUIET;
    return fires("minor", [
      {
        subject: run.fingerprint.hash,
        measure: "fingerprint",
        unit: "runs",
        current: 1,
        baseline: 0,
        changePercent: null,
        fromZero: true,
        threshold: null,
      },
    ]);
  },
  say: ({ subject }) => phrase`the path ${named(subject)} was never seen in the baseline`,
});
