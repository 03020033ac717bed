/** What is older than its limit goes. Figures of runs stay for ever. */
import { DAY_MS, HOUR_MS } from "../store/rows.ts";
import type { RetentionLimits } from "../store/store.ts";
import type { Job } from "./job.ts";

export const RETENTION: RetentionLimits = { bodiesMs: 30 * DAY_MS, rejectedMs: 14 * DAY_MS, eventsMs: DAY_MS };

export function retentionJob(limits: RetentionLimits = RETENTION): Job {
  return {
    name: "retention",
    everyMs: HOUR_MS,
    async run(store, now) {
      await store.retention.apply(limits, now.getTime());
    },
  };
}
