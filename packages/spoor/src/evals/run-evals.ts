/**
 * Makes the planned runs, several at once. Every finished run is handed on at once; a target that nobody answers for is
 * not asked again; a signal ends everything and leaves what is done.
 */

import { setMaxListeners } from "node:events";
import { setImmediate as eventLoop } from "node:timers/promises";
import type { StoppedTarget } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { Budget } from "./budget.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { stopsTarget } from "./providers/provider.ts";
import { type RunOutcome, type RunSettings, runOnce } from "./run-once.ts";
import { createWorkspacePool } from "./workspace-pool.ts";

export interface RunEvalsOptions extends RunSettings {
  readonly workers: number;
  /** No further run is started that it has no room for. */
  readonly budget?: Budget;
  readonly onStart?: (run: PlannedRun) => void;
  /** Called in the order in which runs end; a result counts once this has returned. */
  readonly onFinish: (run: PlannedRun, outcome: RunOutcome) => void | Promise<void>;
}

export interface EvalsOutcome {
  readonly stopped: readonly StoppedTarget[];
  readonly overBudget: boolean;
  readonly interrupted: boolean;
  /** What went wrong when all was over: a command of `after_all`. */
  readonly problems: readonly string[];
}

export async function runEvals(runs: readonly PlannedRun[], options: RunEvalsOptions): Promise<EvalsOutcome> {
  // Every run that waits listens on the one signal that stops them all.
  setMaxListeners(0, options.signal);
  const stopped = new Map<string, StoppedTarget>();
  const busy = new Map<string, number>();
  const taken = new Set<PlannedRun>();
  /** All runs before this one are taken. */
  let first = 0;
  let overBudget = false;
  let wake: (() => void)[] = [];
  // A bug in one run ends the others as well, and is told only when all of them have been put away.
  const broken = new AbortController();
  const signal = AbortSignal.any([options.signal, broken.signal]);
  setMaxListeners(0, signal);
  const settings = { ...options, signal };
  const pool = createWorkspacePool({ signal, keep: options.keepWorkspaces });

  const workers = Array.from({ length: Math.min(options.workers, runs.length) }, work);
  const ends = await Promise.allSettled(workers);
  const problems = await pool.close();
  const bug = ends.find((end) => end.status === "rejected");
  if (bug !== undefined) throw bug.reason;
  return { stopped: [...stopped.values()], overBudget, interrupted: options.signal.aborted, problems };

  async function work(): Promise<void> {
    for (;;) {
      const run = next();
      if (run === "none") return;
      if (run === "later") {
        await new Promise<void>((resolve) => wake.push(resolve));
        continue;
      }
      let record: RunRecord | undefined;
      try {
        options.onStart?.(run);
        record = await settle(run, await runOnce(run, settings, pool));
        // Canned answers and stored runs never wait for anything: without this nobody would hear Ctrl-C before the last of them.
        await eventLoop();
      } catch (error) {
        if (signal.aborted) return;
        broken.abort(error);
        throw error;
      } finally {
        busy.set(run.target.name, busy.get(run.target.name)! - 1);
        options.budget?.end(run.target.name, record);
        const sleepers = wake;
        wake = [];
        for (const resume of sleepers) resume();
      }
    }
  }

  /** The first run whose target has a free place; "later" when all that is left must wait for one. */
  function next(): PlannedRun | "none" | "later" {
    if (signal.aborted) return "none";
    const full = new Set<string>();
    while (first < runs.length && taken.delete(runs[first]!)) first++;
    for (let index = first; index < runs.length; index++) {
      const run = runs[index]!;
      const { name, provider, workers } = run.target;
      if (taken.has(run) || stopped.has(name) || full.has(name)) continue;
      const limit = Math.min(workers ?? Number.POSITIVE_INFINITY, provider.maxWorkers ?? Number.POSITIVE_INFINITY);
      const working = busy.get(name) ?? 0;
      const room = working >= limit ? "wait" : (options.budget?.start(name) ?? "go");
      if (room === "wait") {
        full.add(name);
        continue;
      }
      taken.add(run);
      if (room === "never") {
        overBudget = true;
        continue;
      }
      busy.set(name, working + 1);
      return run;
    }
    return full.size > 0 ? "later" : "none";
  }

  /** The record that counts, if there is one. It is not kept here: with its messages, thousands of them would not fit into memory. */
  async function settle(run: PlannedRun, outcome: RunOutcome): Promise<RunRecord | undefined> {
    const { failure } = outcome;
    if (failure !== undefined && stopsTarget(failure.kind)) {
      // Not a result: nobody was asked. The run stays open for --resume.
      if (!stopped.has(run.target.name)) {
        stopped.set(run.target.name, {
          target: run.target.name,
          kind: failure.kind,
          message: failure.message,
          attempts: outcome.attempts,
          elapsedMs: outcome.elapsedMs,
        });
      }
      return undefined;
    }
    await options.onFinish(run, outcome);
    return outcome.record;
  }
}
