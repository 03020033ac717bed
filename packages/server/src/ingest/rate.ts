/** A bucket of requests for each token: it fills steadily, and what is in it may be used at once. */
import { busy } from "./busy.ts";
import type { Limits } from "./limits.ts";

export interface Rate {
  /** Takes one; throws `ingest.busy` with the time after which there is one again. */
  take(who: string): void;
}

/** Buckets that are full again need not be remembered. */
const MOST_BUCKETS = 10_000;

export function createRate({ perSecond, burst }: Pick<Limits, "perSecond" | "burst">, now: () => number): Rate {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(who) {
      const at = now();
      const bucket = buckets.get(who) ?? { left: burst, at };
      const left = Math.min(burst, bucket.left + (Math.max(0, at - bucket.at) / 1000) * perSecond);
      if (left < 1)
        throw busy(
          `More than ${perSecond} requests a second came with this token.`,
          Math.ceil(((1 - left) / perSecond) * 1000) / 1000,
        );
      if (!buckets.has(who) && buckets.size >= MOST_BUCKETS) buckets.clear();
      buckets.set(who, { left: left - 1, at });
    },
  };
}
