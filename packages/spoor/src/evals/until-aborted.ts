/**
 * The promise's own outcome; once the signal fires, its reason. Who was told to stop gets `graceMs` to clean up behind
 * itself, and nobody who ignores a signal holds a run up.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal, graceMs = 0): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => reject(signal.reason as Error);
    const stop = () => {
      timer = setTimeout(giveUp, graceMs);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const settle = () => {
      signal.removeEventListener("abort", stop);
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
