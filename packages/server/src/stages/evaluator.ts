/**
 * The loop that takes what arrived and writes what came of it. Any number of these run side by side, in one process or in many: the store hands each
 * arrival to one of them, and keeps it when that one dies.
 */
import { setImmediate } from "node:timers/promises";
import type { Outcome, Store, WaitingArrival } from "../store/store.ts";
import { type WorkWhenRung, workWhenRung } from "../store/work-when-rung.ts";
import { evaluateArrival } from "./evaluate-arrival.ts";
import { createProjectRules, type ProjectRules } from "./project-rules.ts";
import type { RunRules } from "./run-rules.ts";

export interface EvaluatorOptions {
  /** Arrivals taken at a time: a long claim holds back whoever tidies up the database. */
  readonly batch?: number;
  readonly now?: () => Date;
  /** Told what went wrong outside of any arrival: the store is not there. It is tried again. */
  readonly onError?: (error: unknown) => void;
  /** Evaluates a suspect where it can end nothing else. Without it, here. */
  readonly evaluateApart?: EvaluateApart;
}

export type EvaluateApart = (arrival: WaitingArrival, today: string) => Promise<Outcome>;

/** `idle` resolves when nothing waits any more. */
export type Evaluator = WorkWhenRung;

const BATCH = 200;

export function startEvaluator(store: Store, options: EvaluatorOptions = {}): Evaluator {
  // One for all batches: policies and baselines are parsed when they change.
  const rules = createProjectRules(store);
  const round = () => evaluateWaiting(store, options, rules);
  return workWhenRung({ bell: store.bell, topic: "inbox", round, onError: options.onError });
}

/** One batch; how many arrivals it took. */
export async function evaluateWaiting(
  store: Store,
  options: EvaluatorOptions = {},
  rules: ProjectRules = createProjectRules(store),
): Promise<number> {
  const today = (options.now?.() ?? new Date()).toISOString().slice(0, 10);
  return store.inbox.claim(options.batch ?? BATCH, async (arrivals, isSuspect) => {
    const [first] = arrivals;
    if (isSuspect && first !== undefined && options.evaluateApart !== undefined)
      return [await options.evaluateApart(first, today)];
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
