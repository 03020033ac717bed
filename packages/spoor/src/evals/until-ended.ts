import type { RunClock } from "./servers/run-clock.ts";

/**
 * The promise's own outcome; once the clock ends, the reason of its signal. Who was told to stop gets `graceMs` to clean up behind
 * itself, and nobody who ignores a signal holds a run up.
 */
export function untilEnded<T>(promise: Promise<T>, clock: RunClock, graceMs = 0): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    clock.onEnd(() => {
      if (!isSettled) timer = setTimeout(() => reject(clock.signal.reason as Error), graceMs);
    });
    const settle = () => {
      isSettled = true;
      clearTimeout(timer);
    };
    promise.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}
