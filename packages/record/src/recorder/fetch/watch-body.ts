/**
 * A stream that is the source for its reader (same chunks, same kind, same pace, same end) and lets somebody look on. Nothing
 * is read that the reader does not ask for, so a slow reader slows the sender, and one that leaves is known to have left.
 */

export interface BodyWatcher<C> {
  chunk(chunk: C): void;
  ended(): void;
  failed(error: unknown): void;
  /** The reader left before the end. */
  left(reason: unknown): void;
}

/** What the watcher throws is the watcher's business: it must not. */
export function watchBody<C>(source: ReadableStream<C>, watcher: BodyWatcher<C>): ReadableStream<C> {
  const isBytes = isByteStream(source);
  const reader = source.getReader();
  let over = false;
  const finish = (tell: () => void) => {
    if (over) return;
    over = true;
    tell();
  };
  /** A read under way learns of the end by itself, and may still bring the last chunk. */
  let isReading = false;
  let isClosed = false;

  const steps = {
    start(controller: Controller) {
      // The source may end or break while nobody reads.
      reader.closed.then(
        () => {
          isClosed = true;
          if (!isReading) finish(() => end(controller, watcher));
        },
        (error: unknown) => finish(() => fail(controller, watcher, error)),
      );
    },
    async pull(controller: Controller) {
      isReading = true;
      try {
        const { done, value } = await nextChunk(reader, isBytes);
        if (!done && !over) {
          watcher.chunk(value);
          controller.enqueue(value as C & Uint8Array<ArrayBuffer>);
        }
        if (done || isClosed) finish(() => end(controller, watcher));
      } catch (error) {
        finish(() => fail(controller, watcher, error));
      }
      isReading = false;
    },
    cancel(reason: unknown) {
      finish(() => watcher.left(reason));
      return reader.cancel(reason);
    },
  };
  const strategy = { highWaterMark: 0 };
  const made = isBytes
    ? new ReadableStream({ ...steps, type: "bytes" }, strategy)
    : new ReadableStream(steps, strategy);
  return made as ReadableStream<C>;
}

function isByteStream(source: ReadableStream): boolean {
  try {
    source.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/** A stream of bytes takes no empty chunk. */
async function nextChunk<C>(reader: ReadableStreamDefaultReader<C>, isBytes: boolean) {
  for (;;) {
    const step = await reader.read();
    if (step.done || !isBytes || (step.value as Uint8Array).byteLength > 0) return step;
  }
}

/** Of either kind of stream. */
interface Controller {
  enqueue(chunk: Uint8Array<ArrayBuffer>): void;
  close(): void;
  error(error: unknown): void;
  readonly byobRequest?: { respond(bytes: number): void } | null;
}

function end(controller: Controller, watcher: Pick<BodyWatcher<never>, "ended">): void {
  watcher.ended();
  controller.close();
  // Whoever reads into a buffer of its own waits for this.
  controller.byobRequest?.respond(0);
}

function fail(controller: Controller, watcher: Pick<BodyWatcher<never>, "failed">, error: unknown): void {
  watcher.failed(error);
  controller.error(error);
}
