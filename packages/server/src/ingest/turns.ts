import { busy } from "./busy.ts";

/** At most so many at once; the others wait in the order in which they came, and more than may wait are refused with `ingest.busy`. */
export function createTurns(
  most: number,
  mostWaiting: number = Number.POSITIVE_INFINITY,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most && waiting.length >= mostWaiting) throw busy(`${mostWaiting} others wait already.`, 5);
    if (running >= most) await new Promise<void>((turn) => waiting.push(turn));
    else running++;
    try {
      return await work();
    } finally {
      // A turn is handed on, so that nobody slips in between.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
