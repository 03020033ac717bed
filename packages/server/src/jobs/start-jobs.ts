/**
 * Jobs beside the evaluators, in every process: the store lets one of them have each turn. A turn that fails is told and comes again.
 */
import type { Store } from "../store/store.ts";
import type { Job } from "./job.ts";

export interface JobsOptions {
  readonly now?: () => Date;
  readonly onError?: (error: unknown) => void;
}

export interface RunningJobs {
  /** Ends after the job at hand. */
  stop(): Promise<void>;
}

export function startJobs(store: Store, jobs: readonly Job[], options: JobsOptions = {}): RunningJobs {
  const now = options.now ?? (() => new Date());
  const timers = new Map<Job, NodeJS.Timeout>();
  let stopped = false;
  let running = Promise.resolve();

  function plan(job: Job): void {
    if (stopped) return;
    const timer = setTimeout(() => {
      // One after the other: jobs are long, and requests of the same process are answered in between.
      running = running.then(() => turn(job));
    }, job.everyMs);
    // A process that has nothing else to do may end.
    timer.unref();
    timers.set(job, timer);
  }

  async function turn(job: Job): Promise<void> {
    if (!stopped) await runJob(store, job, now()).catch((error) => options.onError?.(error));
    plan(job);
  }

  for (const job of jobs) plan(job);
  return {
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await running;
    },
  };
}

/** One turn, if it is this process's: true when it ran. */
export async function runJob(store: Store, job: Job, now: Date): Promise<boolean> {
  // A little less than a turn, so that clocks that differ a little do not skip every other one.
  const until = now.getTime() + 0.9 * job.everyMs;
  if (!(await store.leases.take(`job ${job.name}`, Math.floor(until), now.getTime()))) return false;
  await job.run(store, now);
  return true;
}
