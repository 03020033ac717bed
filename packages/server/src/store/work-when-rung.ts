import type { Bell } from "./engine/bell.ts";

/**
 * Work that a bell calls for: round after round while there is something to do, then asleep until the bell rings. A ring during a round is remembered,
 * because what it tells of may have come after the round had looked. A bell may be lost, so that a round is tried now and then without one.
 */

export interface WhenRungOptions {
  readonly bell: Bell;
  readonly topic: Parameters<Bell["onRing"]>[0];
  /** How much was done: after nothing it sleeps. */
  readonly round: () => Promise<number>;
  /** Told of a round that failed; it is tried again like one that found nothing. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface WorkWhenRung {
  /** Ends after the round at hand. */
  stop(): Promise<void>;
  /** Resolves when a round that began after the call found nothing, or when the work was stopped. */
  idle(): Promise<void>;
}

/** Without a ring it looks again after so long. */
const POLL_MS = 1_000;

export function workWhenRung(options: WhenRungOptions): WorkWhenRung {
  let isStopped = false;
  let isRung = false;
  let wake: (() => void) | undefined;
  let waiters: (() => void)[] = [];
  const ring = () => {
    isRung = true;
    wake?.();
  };
  const silence = options.bell.onRing(options.topic, ring);
  const running = work();

  async function work(): Promise<void> {
    while (!isStopped) {
      isRung = false;
      const asked = waiters;
      waiters = [];
      const done = await round();
      if (done > 0) waiters = [...asked, ...waiters];
      else for (const tell of asked) tell();
      if (done === 0 && !isRung && !isStopped) await sleepUntilRung();
    }
    for (const tell of waiters.splice(0)) tell();
  }

  async function round(): Promise<number> {
    try {
      return await options.round();
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
      isStopped = true;
      silence();
      wake?.();
      await running;
    },
    idle() {
      const idle = new Promise<void>((resolve) => waiters.push(resolve));
      ring();
      // Who asks after the end is not left waiting.
      return isStopped ? running : idle;
    },
  };
}
