/**
 * Every trace at or under the paths, reduced where it is read: in this thread, or in several when there are many or large files. Results,
 * their order and the first error are the same.
 */
import { availableParallelism } from "node:os";
import type { Trace } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { createKeyKeeper } from "@spoor/core/internal/trace/trace-name";
import { withoutCompanions } from "../claude-companions.ts";
import { findFiles } from "../find-files.ts";
import { loadTraceFile } from "../load-traces.ts";
import type { LoadOptions } from "../read-trace-file.ts";
import { batchesOf, paysInThreads } from "./batches.ts";
import type { Reduction } from "./reduction.ts";

export interface ReduceOptions extends LoadOptions {
  /** How many threads may read, or one per core of the machine; 1 when absent. */
  readonly threads?: number | "cores";
  /** From how many bytes on, beside the largest file, they do; by default where it pays. */
  readonly threadsFrom?: number;
}

/** More hardly helps: results are put together in one thread. */
const MOST_THREADS = 8;

function threadCount(threads: number | "cores"): number {
  return threads === "cores" ? Math.min(availableParallelism(), MOST_THREADS) : threads;
}

/** `reduce` does in this thread what the reduction does with the settings in others. */
export async function* reduceTraces<Settings, Result>(
  paths: readonly string[],
  reduction: Reduction<Settings, Result>,
  settings: Settings,
  options: ReduceOptions = {},
  reduce: (trace: Trace) => Result = reduction.start(settings),
): AsyncGenerator<Result> {
  const files = withoutCompanions(paths.flatMap(findFiles));
  const { threads = 1, threadsFrom } = options;
  const load = { ...options, ...present({ onlySteps: reduction.onlySteps }) };
  const several = threads !== 1 && paysInThreads(files, threadsFrom) ? threadCount(threads) : 1;
  if (several > 1) yield* reduceInThreads();
  else yield* reduceHere();

  async function* reduceHere(): AsyncGenerator<Result> {
    const keepKey = createKeyKeeper();
    for (const [index, file] of files.entries()) {
      options.onFile?.(file, index, files.length);
      for (const trace of await loadTraceFile(file, load)) yield reduce(keepKey(trace));
    }
  }

  async function* reduceInThreads(): AsyncGenerator<Result> {
    const { runBatches, throwFailure } = await import("./thread-pool.ts");
    const told = present({ lenient: options.lenient, from: options.from });
    const keepKey = createKeyKeeper();
    const batches = batchesOf(files);
    let index = 0;
    for await (const reply of runBatches(batches, { reduction: reduction.name, settings, load: told }, several)) {
      throwFailure(reply);
      const batch = batches[reply.batch]!;
      for (const file of batch) options.onFile?.(file, index++, files.length);
      const keys = reply.keys.map((key) => keepKey({ key }).key);
      if (keys.every((key, place) => key === reply.keys[place])) yield* reply.results as Result[];
      else yield* again(batch, keys);
    }
  }

  /** The same file named twice: among all traces these have other keys, which a thread cannot know. */
  async function* again(batch: readonly string[], keys: readonly string[]): AsyncGenerator<Result> {
    let place = 0;
    for (const file of batch)
      for (const trace of await loadTraceFile(file, load)) yield reduce({ ...trace, key: keys[place++]! });
  }
}
