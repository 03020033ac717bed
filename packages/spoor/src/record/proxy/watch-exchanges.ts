/**
 * Between the proxy, which sees bytes, and the capture, which knows model calls: unpacks bodies, hands them on as text, and counts
 * what is no call of a model. Nothing here is waited for by the application.
 */
import type { Capture } from "@spoor/core/internal/capture/capture";
import { mayBeModelCall } from "@spoor/core/internal/capture/recognise-call";
import type { CapturedCall, StatedSession } from "@spoor/core/internal/capture/seen";
import { type BodyDecoder, createBodyDecoder, decodeBody } from "./body-decoder.ts";
import type { ExchangeWatch, ForwardedRequest } from "./exchange-watch.ts";

export interface ExchangeWatchers {
  watch(request: ForwardedRequest): ExchangeWatch | undefined;
  counts(): WatchCounts;
  /** Resolves once every exchange that ended is recorded. */
  settled(): Promise<void>;
}

export interface WatchCounts {
  /** Requests that were recognised as calls of a model. */
  readonly calls: number;
  /** Requests to other paths, by path, without what follows `?`. */
  readonly otherPaths: Readonly<Record<string, number>>;
  /** Bodies in a coding that nobody here can read, or larger than is kept. */
  readonly unreadable: number;
}

export interface WatchOptions {
  readonly capture: Capture;
  /** The run that everything belongs to, when the user named it. */
  readonly session?: StatedSession | undefined;
  readonly maxBodyBytes: number;
}

const MOST_PATHS = 50;

export function createExchangeWatchers({ capture, session, maxBodyBytes }: WatchOptions): ExchangeWatchers {
  const counts = { calls: 0, unreadable: 0, otherPaths: new Map<string, number>() };
  const pending = new Set<Promise<void>>();

  function countPath(url: string): void {
    const path = new URL(url).pathname;
    const name = counts.otherPaths.has(path) || counts.otherPaths.size < MOST_PATHS ? path : "other";
    counts.otherPaths.set(name, (counts.otherPaths.get(name) ?? 0) + 1);
  }

  return {
    watch(request) {
      if (!mayBeModelCall(request.method, request.url)) {
        countPath(request.url);
        return undefined;
      }
      return watchExchange(request);
    },
    counts: () => ({ ...counts, otherPaths: Object.fromEntries(counts.otherPaths) }),
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };

  function watchExchange(request: ForwardedRequest): ExchangeWatch {
    let sent: Buffer[] | undefined = [];
    let sentBytes = 0;
    let call: CapturedCall | undefined;
    let hasBegun = false;
    let decoder: BodyDecoder | undefined;
    let lastMs = request.atMs;

    /** As soon as the whole request is known; an answer or an end that comes earlier has to do with what there is. */
    function begin(): void {
      if (hasBegun) return;
      hasBegun = true;
      const body =
        sent === undefined ? undefined : decodeBody(Buffer.concat(sent), request.headers["content-encoding"]);
      sent = undefined;
      if (body === undefined) {
        counts.unreadable++;
        return;
      }
      const { method, url, headers, atMs } = request;
      call = capture.request({ method, url, headers, body, atMs, ...(session === undefined ? {} : { session }) });
      if (call === undefined) countPath(url);
      else counts.calls++;
    }

    /** What was received before the end is unpacked first. */
    function finish(last: (call: CapturedCall) => void): void {
      const open = call;
      if (open === undefined) return;
      const unpacking = decoder;
      decoder = undefined;
      if (unpacking === undefined) {
        last(open);
        return;
      }
      const done = new Promise<void>((resolve) => {
        unpacking.end((outcome) => {
          if (outcome === "undecodable") counts.unreadable++;
          last(open);
          resolve();
        });
      });
      pending.add(done);
      void done.then(() => pending.delete(done));
    }

    return {
      sent(chunk) {
        sentBytes += chunk.length;
        if (sentBytes > maxBodyBytes) sent = undefined;
        sent?.push(chunk);
      },
      sentAll: begin,
      head(status, headers, atMs) {
        begin();
        call?.head(status, headers, atMs);
        decoder = createBodyDecoder(headers["content-encoding"], (text) => call?.text(text, lastMs));
        if (decoder === undefined) counts.unreadable++;
      },
      received(chunk, atMs) {
        lastMs = atMs;
        if (call !== undefined) decoder?.write(chunk);
      },
      ended(atMs) {
        begin();
        finish((open) => open.end(atMs));
      },
      broke(by, error, atMs) {
        begin();
        finish((open) => open.broke(by, error, atMs));
      },
    };
  }
}
