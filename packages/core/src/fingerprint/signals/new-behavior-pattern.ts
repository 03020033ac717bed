import { fires, QUIET, type SignalDefinition } from "./signal.ts";

/** The run's hash belongs to no known behaviour. Information only: on real agents most runs are new in this sense. */
export const newBehaviorPattern: SignalDefinition = {
  name: "new_behavior_pattern",
  severity: "minor",
  detect({ run, status }) {
    if (status === "match" || status === "accepted_variant" || status === "no_baseline") return QUIET;
    return fires("minor", [
      {
        subject: run.fingerprint.hash,
        measure: "fingerprint in the baseline",
        unit: "runs",
        current: 1,
        baseline: 0,
        changePercent: null,
        fromZero: true,
        threshold: null,
      },
    ]);
  },
};
