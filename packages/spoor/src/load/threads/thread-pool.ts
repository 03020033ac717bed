/**
 * Batches of files through several threads, their results in the order of the batches. A thread is given few batches ahead, so that
 * memory stays bounded when results are taken more slowly than they are made.
 */
import { Worker } from "node:worker_threads";
import { packageFile } from "../../package-files.ts";
import { errorOf } from "./carried-error.ts";
import type { BatchReply, ThreadStart } from "./messages.ts";

/** Batches given to a thread that were not taken yet. */
const AHEAD = 3;

export async function* runBatches(
  batches: readonly (readonly string[])[],
  start: ThreadStart,
  threads: number,
): AsyncGenerator<BatchReply> {
  const pool = Array.from({ length: threads }, () => new Thread(start));
  const replies: Promise<BatchReply>[] = [];
  try {
    for (let taken = 0; taken < batches.length; taken++) {
      while (replies.length < Math.min(batches.length, taken + threads * AHEAD)) {
        const idle = pool.reduce((one, other) => (other.waiting.size < one.waiting.size ? other : one));
        replies.push(idle.run(replies.length, batches[replies.length]!));
      }
      yield await replies[taken]!;
      // What was taken is not held any longer.
      delete replies[taken];
    }
  } finally {
    await Promise.all(pool.map((thread) => thread.end()));
  }
}

class Thread {
  readonly waiting = new Map<number, { resolve(reply: BatchReply): void; reject(error: Error): void }>();
  private readonly worker: Worker;

  constructor(start: ThreadStart) {
    // Without the flags of this process: what someone preloads there is not meant for threads.
    this.worker = new Worker(packageFile("bin/thread.cjs"), { workerData: start, execArgv: [] });
    this.worker.on("message", (reply: BatchReply) => {
      this.waiting.get(reply.batch)?.resolve(reply);
      this.waiting.delete(reply.batch);
    });
    this.worker.on("error", (error) => this.fail(error));
    this.worker.on("exit", () => this.fail(new Error("A thread ended before its work was done.")));
  }

  run(batch: number, files: readonly string[]): Promise<BatchReply> {
    const reply = new Promise<BatchReply>((resolve, reject) => this.waiting.set(batch, { resolve, reject }));
    // Whoever waits for it hears of it; a batch behind an earlier failure is waited for by nobody.
    reply.catch(() => {});
    this.worker.postMessage({ batch, files });
    return reply;
  }

  async end(): Promise<void> {
    this.worker.removeAllListeners();
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** The first failure of a batch, as the main thread would have met it. */
export function throwFailure({ failure }: BatchReply): void {
  if (failure !== undefined) throw errorOf(failure);
}
