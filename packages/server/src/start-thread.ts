/** A server's evaluators and jobs, on a thread of their own where there can be one. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { HookTools } from "./hooks/open-hooks.ts";
import type { Store } from "./store/store.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";
import { type RunningWorker, startWork } from "./work.ts";

/**
 * A store in memory belongs to the thread that opened it, and sources are not run on threads without a loader: there the work is done between two
 * answers.
 */
export function startWorkBeside(
  url: string,
  store: Store,
  onProblem: (error: unknown) => void,
  hooks: HookTools,
): RunningWorker {
  if (url === ":memory:" || import.meta.url.endsWith(".ts")) return startWork(url, store, onProblem, hooks);
  const thread = new Worker(new URL("./work-thread.js", import.meta.url), { workerData: { store: url } });
  const say = (message: ToThread) => thread.postMessage(message);
  let stopping = false;
  thread.on("message", (message: FromThread) => {
    if (message === "events") store.bell.ring("events");
    else onProblem(new Error(message.problem));
  });
  thread.on("error", onProblem);
  thread.on("exit", () => {
    if (!stopping)
      onProblem(new Error("The thread that evaluates has ended; what arrives waits until the next start."));
  });
  const silence = store.bell.onRing("inbox", () => say("inbox"));
  return {
    async stop() {
      silence();
      stopping = true;
      const ended = once(thread, "exit");
      say("stop");
      await ended;
    },
  };
}
