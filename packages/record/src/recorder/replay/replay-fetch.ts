/**
 * `fetch` under replay. A call of a model gets its recorded answer, and no connection is made; or it goes to the model, and its answer
 * is held until it is whole where tools come from recordings. Everything else goes through as it is.
 */
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import { readText } from "../fetch/collect-text.ts";
import { type FetchArguments, targetOf, withHeaders } from "../fetch/seen-request.ts";
import { watchedResponse } from "../fetch/watched-response.ts";
import type { Fetch } from "../fetch/wrap-fetch.ts";
import type { Replayer } from "./replayer.ts";
import { type AnswerToSend, LEAVING_MS } from "./served-answer.ts";

export interface ReplayFetchOptions {
  readonly replayer: Replayer;
  session(): StatedSession | undefined;
  readonly maxBodyBytes: number;
  /** A replaying proxy that calls go through: it is told that they were decided about here. */
  readonly proxyUrl?: string | undefined;
}

/** Taken off by the proxy; nobody else gets it. */
export const DECIDED_HEADER = "x-spoor-replay-decided";

export function replayFetch(fetch: Fetch, options: ReplayFetchOptions): Fetch {
  const { replayer } = options;
  return async function replayed(this: unknown, input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const { method, url } = targetOf({ input, init });
    if (method !== "POST") return fetch.call(this, input, init);
    const { body, send } = await wholeRequest({ input, init }, options.maxBodyBytes);
    if (body === undefined) return fetch.call(this, send.input, send.init);
    const decision = replayer.decide({ method, url, body, session: options.session() });
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    if (decision.kind === "answer") return responseOf(decision.answer, url, signal ?? undefined);
    const isProxied = options.proxyUrl !== undefined && url.startsWith(options.proxyUrl);
    const going = isProxied ? withHeaders(send, { [DECIDED_HEADER]: "1" }) : send;
    const response = await fetch.call(this, going.input, going.init);
    if (decision.kind === "pass" || decision.check === undefined) return response;
    return held(response, decision.check, url);
  };
}

/** The whole text of a request, and the call to make with it: what was read to its end is sent as what was read. */
async function wholeRequest(
  { input, init }: FetchArguments,
  maxBytes: number,
): Promise<{ readonly body: string | undefined; readonly send: FetchArguments }> {
  const body: unknown = init?.body;
  if (typeof body === "string") return { body, send: { input, init } };
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return { body: new TextDecoder().decode(body as Uint8Array), send: { input, init } };
  if (body instanceof Blob) return { body: await body.text(), send: { input, init } };
  if (body instanceof ReadableStream) {
    const text = await readText(body as ReadableStream<Uint8Array>, maxBytes);
    const { duplex: _duplex, ...rest } = init as RequestInit & { duplex?: unknown };
    return { body: text, send: { input, init: { ...rest, body: text ?? "" } } };
  }
  if (body !== undefined && body !== null) return { body: undefined, send: { input, init } };
  const request = input instanceof Request && input.body !== null && !input.bodyUsed ? input : undefined;
  return { body: request === undefined ? undefined : await request.clone().text(), send: { input, init } };
}

/** The model's own answer, once it is known that nothing in it would run for real. */
async function held(
  response: Response,
  check: (answer: { status: number; contentType: string; text: string }) => AnswerToSend | undefined,
  url: string,
): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const contentType = response.headers.get("content-type") ?? "";
  const refusal = check({ status: response.status, contentType, text: new TextDecoder().decode(bytes) });
  if (refusal !== undefined) return responseOf(refusal, url, undefined);
  return watchedResponse(response, new Blob([bytes]).stream());
}

function responseOf(answer: AnswerToSend, url: string, signal: AbortSignal | undefined): Response {
  signal?.throwIfAborted();
  // A connection that was never made, as fetch says it.
  if (answer.status === 0) throw new TypeError("fetch failed", { cause: new Error("recorded as failed") });
  const { status, headers } = answer;
  const response = new Response(bodyOf(answer, signal), { status, headers });
  return Object.defineProperty(response, "url", { value: url, configurable: true });
}

function bodyOf({ pieces, breaksOff }: AnswerToSend, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const startedMs = performance.now();
  let next = 0;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
    },
    async pull(controller) {
      const piece = pieces[next++];
      if (piece === undefined) {
        if (breaksOff === undefined) controller.close();
        else {
          if (breaksOff === "later") await until(performance.now() + LEAVING_MS, signal);
          if (signal?.aborted !== true) controller.error(new TypeError("terminated"));
        }
        return;
      }
      if (piece.atMs !== undefined) await until(startedMs + piece.atMs, signal);
      if (signal?.aborted !== true) controller.enqueue(encoder.encode(piece.text));
    },
  });
}

/** Or until the caller leaves. */
async function until(momentMs: number, signal: AbortSignal | undefined): Promise<void> {
  const left = momentMs - performance.now();
  if (left <= 0 || signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, left);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
