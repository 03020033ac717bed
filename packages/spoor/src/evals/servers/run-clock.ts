/**
 * The time a run may take. Waiting for one's turn at a server is nobody's doing: it neither uses up the time nor counts as duration,
 * and an answer from the cache counts with the time it took when it was made.
 */
export interface RunClock {
  /** Fires when the time is up. */
  readonly signal: AbortSignal;
  /** Stops the clock; the answer lets it go on. */
  pause(): () => void;
  /** Time that passed elsewhere. */
  add(ms: number): void;
  /** What must be added to a duration on the wall. */
  correction(): number;
  close(): void;
}

export function createRunClock(timeoutMs: number, now: () => number = () => performance.now()): RunClock {
  const controller = new AbortController();
  let left = timeoutMs;
  let since = now();
  let pauses = 0;
  let added = 0;
  let timer: NodeJS.Timeout | undefined = start();
  return {
    signal: controller.signal,
    pause() {
      if (pauses++ === 0) {
        clearTimeout(timer);
        left -= now() - since;
        since = now();
      }
      let paused = true;
      return () => {
        if (!paused) return;
        paused = false;
        if (--pauses > 0) return;
        added -= now() - since;
        since = now();
        timer = start();
      };
    },
    add(ms) {
      added += ms;
    },
    correction: () => added,
    close: () => clearTimeout(timer),
  };

  function start(): NodeJS.Timeout {
    return setTimeout(() => controller.abort(), Math.max(0, left));
  }
}
