/** Evaluators and jobs on a thread of their own, with a connection of their own: a long evaluation keeps no request waiting. Started by `start-thread.ts`. */

import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "@spoor/core/internal/errors";
import { openHooks } from "./hooks/open-hooks.ts";
import { openStore } from "./store/open-store.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";
import { startWork } from "./work.ts";

const port = parentPort!;
const tell = (message: FromThread) => port.postMessage(message);

// The process has the lock of the file already, and has brought it up to date.
const { store: address } = workerData as { readonly store: string };
const store = await openStore(address, { lock: false });
const onProblem = (error: unknown) => tell({ problem: messageOf(error) });
const working = startWork(address, store, onProblem, openHooks(address, process.env));
// The page that listens is told by the other thread.
store.bell.onRing("events", () => tell("events"));

port.on("message", async (message: ToThread) => {
  if (message === "inbox") return store.bell.ring("inbox");
  await working.stop();
  await store.close();
  port.close();
});
