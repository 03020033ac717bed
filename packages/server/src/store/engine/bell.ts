type Topic = Parameters<Bell["ring"]>[0];

export interface LocalBell extends Bell {
  /** What this process hears, whoever rang. */
  sound(topic: Topic): void;
}

/** Within one process. Listeners are called after the one who rang has gone on: they never hold up who wrote. */
export function createLocalBell(): LocalBell {
  const listeners = new Map<Topic, Set<() => void>>();
  const sound = (topic: Topic) => {
    for (const listener of [...(listeners.get(topic) ?? [])]) queueMicrotask(listener);
  };
  return {
    sound,
    ring: sound,
    onRing(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => all.delete(listener);
    },
  };
}
/** Rings after something was committed; may be lost, so whoever waits also looks now and then. */
export interface Bell {
  ring(topic: "inbox" | "events"): void;
  /** The returned function stops listening. */
  onRing(topic: "inbox" | "events", listener: () => void): () => void;
}
