/**
 * Who listens to what happens: one stream of server-sent events each. An event is a line of ids and counts that stands in the store before anybody hears
 * of it, so that a client that was away, or too slow and was let go, goes on from the last id it has.
 */
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { busy } from "../ingest/busy.ts";
import type { Store, StoredEvent } from "../store/store.ts";

export interface Listeners {
  /** Events after that id, for as long as somebody reads; throws `ingest.busy` when too many do. */
  open(projectId: number, after: number): ReadableStream<Uint8Array>;
  readonly count: number;
  /** Ends every stream. */
  close(): void;
}

export interface ListenersClock {
  /** Runs it again and again; the returned function ends that. */
  every(ms: number, run: () => void): () => void;
}

/** A bell may be lost. */
const LOOK_EVERY_MS = 1_000;
/** At most so often a client hears something. */
const PACE_MS = 250;
const HEARTBEAT_MS = 15_000;
const MOST_AT_ONCE = 100;
/** A client that leaves so much unread is let go. */
const MOST_UNREAD_BYTES = 64 * 1024;
/** Reconnect after so long. */
const RETRY_MS = 2_000;

interface Listener {
  readonly projectId: number;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  last: number;
  isLooking: boolean;
}

export function createListeners(store: Store, most: number, clock: ListenersClock = realClock): Listeners {
  const listeners = new Set<Listener>();
  const encoder = new TextEncoder();
  let isRung = false;
  let stops: (() => void)[] = [];

  return {
    open(projectId, after) {
      if (listeners.size >= most) throw busy(`${most} clients are listening already.`, 5);
      let listener: Listener | undefined;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            listener = { projectId, controller, last: after, isLooking: false };
            listeners.add(listener);
            if (listeners.size === 1) begin();
            controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
            void look(listener);
          },
          cancel() {
            if (listener !== undefined) leave(listener);
          },
        },
        { highWaterMark: MOST_UNREAD_BYTES, size: (chunk) => chunk!.byteLength },
      );
    },
    get count() {
      return listeners.size;
    },
    close() {
      for (const listener of [...listeners]) end(listener);
    },
  };

  function begin(): void {
    const unlisten = store.bell.onRing("events", () => {
      isRung = true;
    });
    const stopPace = clock.every(PACE_MS, () => {
      if (!isRung) return;
      isRung = false;
      lookAll();
    });
    const stopLooking = clock.every(LOOK_EVERY_MS, lookAll);
    const stopBeating = clock.every(HEARTBEAT_MS, () => {
      for (const listener of [...listeners]) send(listener, ": still here\n\n");
    });
    stops = [unlisten, stopPace, stopLooking, stopBeating];
  }

  function lookAll(): void {
    for (const listener of listeners) void look(listener);
  }

  async function look(listener: Listener): Promise<void> {
    if (listener.isLooking) {
      // What this is about may have come after it had looked: once more, at the next pace.
      isRung = true;
      return;
    }
    listener.isLooking = true;
    try {
      const events = await store.events.after(listener.projectId, listener.last, MOST_AT_ONCE);
      if (events.length > 0 && listeners.has(listener)) {
        listener.last = events.at(-1)!.id;
        send(listener, events.map(frameOf).join(""));
      }
    } catch {
      // The store is away: the client asks again, from the last id it has.
      end(listener);
    } finally {
      listener.isLooking = false;
    }
  }

  function send(listener: Listener, text: string): void {
    if ((listener.controller.desiredSize ?? 0) <= 0) end(listener);
    else listener.controller.enqueue(encoder.encode(text));
  }

  function end(listener: Listener): void {
    if (!listeners.has(listener)) return;
    leave(listener);
    listener.controller.close();
  }

  function leave(listener: Listener): void {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    for (const stop of stops) stop();
    stops = [];
  }
}

/** One event as it stands on the wire. */
export function frameOf({ id, kind, body }: StoredEvent): string {
  return `id: ${id}\nevent: ${kind}\ndata: ${stringifyJson(body)}\n\n`;
}

const realClock: ListenersClock = {
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
