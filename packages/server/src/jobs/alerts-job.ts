/** What rules raised is over when none of the newest runs of the release breaks the rule any more. */
import type { Job } from "./job.ts";

/** As many as say something of an agent. */
const LOOK_BACK = 30;

export function alertsJob(): Job {
  return {
    name: "alerts",
    everyMs: 30_000,
    async run(store, now) {
      await store.alerts.clearQuiet(LOOK_BACK, now.getTime());
    },
  };
}
