/** Evaluators and jobs without a server: any number of these processes share the work of one PostgreSQL. */
import { createEvaluateApart } from "./evaluate-apart.ts";
import { type Courier, startCourier } from "./hooks/courier.ts";
import { type HookTools, openHooks } from "./hooks/open-hooks.ts";
import { alertsJob } from "./jobs/alerts-job.ts";
import { closeTracesJob } from "./jobs/close-traces-job.ts";
import { cohortJob } from "./jobs/cohort-job.ts";
import { reevaluationJob } from "./jobs/reevaluation-job.ts";
import { retentionJob } from "./jobs/retention-job.ts";
import { type RunningJobs, startJobs } from "./jobs/start-jobs.ts";
import { verdictJob } from "./jobs/verdict-job.ts";
import { type Evaluator, startEvaluator } from "./stages/evaluator.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";

export interface WorkOptions {
  readonly store: string;
  /** What went wrong, for the operator's eyes. */
  readonly onProblem?: (error: unknown) => void;
}

export interface RunningWorker {
  /** Ends after the batch and the job at hand, and lets go of the store. */
  stop(): Promise<void>;
}

export async function work({ store: url, onProblem = () => undefined }: WorkOptions): Promise<RunningWorker> {
  const store = await openStore(url);
  const working = startWork(url, store, onProblem, openHooks(url, process.env));
  return {
    async stop() {
      await working.stop();
      await store.close();
    },
  };
}

/** The same on a store that is open already: what a server does beside answering. */
export function startWork(
  url: string,
  store: Store,
  onProblem: (error: unknown) => void,
  hooks: HookTools,
): RunningWorker {
  const evaluateApart = createEvaluateApart(url);
  const evaluator: Evaluator = startEvaluator(store, {
    onError: onProblem,
    ...(evaluateApart === undefined ? {} : { evaluateApart }),
  });
  const jobs: RunningJobs = startJobs(
    store,
    [closeTracesJob, retentionJob(), verdictJob(), cohortJob(), reevaluationJob(), alertsJob()],
    {
      onError: onProblem,
    },
  );
  const courier: Courier = startCourier(store, { ...hooks, onError: onProblem });
  return {
    async stop() {
      await Promise.all([evaluator.stop(), jobs.stop(), courier.stop()]);
    },
  };
}
