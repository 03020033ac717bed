/**
 * Recording work, put off until the bytes of this turn of the event loop have left the process. Node hands a chunk to the system
 * after the current callbacks; work done in them would stand before it. In order, and one failure stops no other.
 */
export interface Later {
  do(work: () => void): void;
  /** Does what is waiting at once: before the end. */
  flush(): void;
}

export function createLater(onError: (error: unknown) => void): Later {
  let waiting: (() => void)[] = [];
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    // Work may bring further work; it is done in the same sweep, so the queue never outlives one turn of the loop.
    while (waiting.length > 0) {
      const now = waiting;
      waiting = [];
      for (const work of now) {
        try {
          work();
        } catch (error) {
          onError(error);
        }
      }
    }
  }

  return {
    do(work) {
      waiting.push(work);
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    flush,
  };
}
