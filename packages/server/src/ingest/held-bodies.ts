/**
 * What is in memory between the first byte of a body and its commit. Beyond the limits the next one is refused, so that a flood costs its senders a
 * retry and not everybody the process.
 */

import { busy } from "./busy.ts";
import type { Limits } from "./limits.ts";

export interface HeldBodies {
  /** Throws `ingest.busy` when there is no room for one more. */
  enter(): HeldBody;
  readonly requests: number;
  readonly bytes: number;
}

export interface HeldBody {
  /** So many more bytes are held for it; throws `ingest.busy` when there is no room for them. */
  add(bytes: number): void;
  leave(): void;
}

export function createHeldBodies(limits: Pick<Limits, "requests" | "heldBytes">): HeldBodies {
  let requests = 0;
  let held = 0;
  return {
    enter() {
      if (requests >= limits.requests) throw busy(`${limits.requests} requests are under way already.`, 1);
      if (held >= limits.heldBytes) throw full();
      requests++;
      let own = 0;
      return {
        add(bytes) {
          // One body alone always fits: its own limits are smaller.
          if (held + bytes > limits.heldBytes && held > own) throw full();
          own += bytes;
          held += bytes;
        },
        leave() {
          requests--;
          held -= own;
          own = 0;
        },
      };
    },
    get requests() {
      return requests;
    },
    get bytes() {
      return held;
    },
  };

  function full() {
    return busy(`Bodies of ${limits.heldBytes} bytes are under way already.`, 1);
  }
}
