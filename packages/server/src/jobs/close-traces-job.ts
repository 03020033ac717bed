/** Traces that came as spans are closed when nothing more is expected of them. */
import { closeTraces } from "../ingest/close-traces.ts";
import type { Job } from "./job.ts";

export const closeTracesJob: Job = {
  name: "close traces",
  everyMs: 2_000,
  async run(store, now) {
    await closeTraces(store.spans, now.getTime());
  },
};
