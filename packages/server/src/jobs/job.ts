import type { Store } from "../store/store.ts";

/** Work that comes again and again. Done at least once: whatever it writes must be the same the second time. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(store: Store, now: Date): Promise<void>;
}
