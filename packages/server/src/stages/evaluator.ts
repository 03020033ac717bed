/**
 * The loop that takes what arrived and writes what came of it. Any number of these run side by side, in one process or in many: the store hands each
 * arrival to one of them, and keeps it when that one dies.
 */
import { setImmediate } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { evaluateArrival } from "./evaluate-arrival.ts";
import { createProjectRules, type ProjectRules } from "./project-rules.ts";
import type { RunRules } from "./run-rules.ts";

export interface EvaluatorOptions {
  /** Arrivals taken at a time: a long claim holds back whoever tidies up the database. */
  readonly batch?: number;
  readonly now?: () => Date;
  /** Told what went wrong outside of any arrival: the store is not there. It is tried again. */
  readonly onError?: (error: unknown) => void;
}

export interface Evaluator {
  /** Ends after the batch at hand. */
  stop(): Promise<void>;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

const BATCH = 200;
/** A bell may be lost, so the inbox is looked at without one, too. */
const POLL_MS = 1000;

export function startEvaluator(store: Store, options: EvaluatorOptions = {}): Evaluator {
  let stopped = false;
  let wake: (() => void) | undefined;
  let rung = false;
  const waiters: (() => void)[] = [];
  const ring = () => {
    rung = true;
    wake?.();
  };
  const silence = store.bell.onRing("inbox", ring);
  // One for all batches: policies and baselines are parsed when they change.
  const rules = createProjectRules(store);
  const running = work();

  async function work(): Promise<void> {
    while (!stopped) {
      rung = false;
      if ((await takeBatch()) > 0) continue;
      for (const done of waiters.splice(0)) done();
      if (!rung && !stopped) await sleepUntilRung();
    }
    for (const done of waiters.splice(0)) done();
  }

  async function takeBatch(): Promise<number> {
    try {
      return await evaluateWaiting(store, options, rules);
    } catch (error) {
      options.onError?.(error);
      return 0;
    }
  }

  function sleepUntilRung(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    async stop() {
      stopped = true;
      wake?.();
      silence();
      await running;
    },
    idle() {
      const idle = new Promise<void>((resolve) => waiters.push(resolve));
      ring();
      return idle;
    },
  };
}

/** One batch; how many arrivals it took. */
export async function evaluateWaiting(
  store: Store,
  options: EvaluatorOptions = {},
  rules: ProjectRules = createProjectRules(store),
): Promise<number> {
  const today = (options.now?.() ?? new Date()).toISOString().slice(0, 10);
  return store.inbox.claim(options.batch ?? BATCH, async (arrivals) => {
    const known = new Map<string, Promise<RunRules>>();
    const rulesFor = (projectId: number, agent: string) => {
      const key = `${projectId} ${agent}`;
      const asked = known.get(key) ?? rules.rulesFor(projectId, agent, today);
      known.set(key, asked);
      return asked;
    };
    const outcomes = [];
    for (const arrival of arrivals) {
      outcomes.push(await evaluateArrival(arrival, (agent) => rulesFor(arrival.projectId, agent)));
      // Whoever asks this process meanwhile is answered between two of them.
      await setImmediate();
    }
    return outcomes;
  });
}
