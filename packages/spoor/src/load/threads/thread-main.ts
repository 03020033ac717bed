/** What a thread does: reads batches of files and sends what its reduction leaves of their traces (started by bin/thread.cjs). */
import { parentPort, workerData } from "node:worker_threads";
import { present } from "@spoor/core/internal/trace/present";
import { loadTraceFile } from "../load-traces.ts";
import { carryError } from "./carried-error.ts";
import type { Batch, BatchReply, ThreadStart } from "./messages.ts";
import { loadReduction } from "./reductions.ts";

/** `keep` keeps what was compiled for the next start; called after the first batch, when most of it is. */
export function threadMain(keep: () => void): void {
  const start = workerData as ThreadStart;
  const ready = loadReduction(start.reduction).then(({ start: begin, join, onlySteps }) => ({
    reduce: begin(start.settings),
    join,
    load: { ...start.load, ...present({ onlySteps }) },
  }));
  let last: Promise<void> = Promise.resolve();
  let kept = false;
  parentPort!.on("message", (batch: Batch) => {
    last = last.then(() => answer(batch));
  });

  async function answer(given: Batch): Promise<void> {
    parentPort!.postMessage(await work(given));
    if (!kept) keep();
    kept = true;
  }

  async function work({ batch, files }: Batch): Promise<BatchReply> {
    try {
      const { reduce, join, load } = await ready;
      const keys: string[] = [];
      const results: unknown[] = [];
      for (const file of files) {
        for (const trace of await loadTraceFile(file, load)) {
          keys.push(trace.key);
          results.push(reduce(trace));
        }
      }
      return { batch, keys, results: join === undefined ? results : [join(results)] };
    } catch (error) {
      return { batch, keys: [], results: [], failure: carryError(error) };
    }
  }
}
