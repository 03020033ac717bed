/** What belongs together in a running application: calls made, however late, inside the same `session`, `pause` or tool. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { StatedSession } from "@spoor/core/internal/capture/seen";

export interface Surroundings {
  readonly session?: StatedSession;
  readonly paused?: true;
  /** The call of a model that is under way above the wire; set when the wire saw it too. */
  readonly call?: { seenOnWire: boolean };
}

export class RecorderContext {
  private readonly storage = new AsyncLocalStorage<Surroundings>();
  private readonly outside: Surroundings;

  /** `outside`: what holds where the application said nothing. */
  constructor(outside: Surroundings = {}) {
    this.outside = outside;
  }

  current(): Surroundings {
    return this.storage.getStore() ?? this.outside;
  }

  with<T>(change: Surroundings, run: () => T): T {
    return this.storage.run({ ...this.current(), ...change }, run);
  }
}
