/** What rules raised is over when none of the newest runs of the release breaks the rule any more. */
import { NEWEST_RUNS } from "../store/alerts.ts";
import type { Job } from "./job.ts";

export function alertsJob(): Job {
  return {
    name: "alerts",
    everyMs: 30_000,
    async run(store, now) {
      await store.alerts.clearQuiet(NEWEST_RUNS, now.getTime());
    },
  };
}
