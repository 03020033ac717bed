/**
 * `fetch` with somebody looking on. Whoever calls it notices nothing: bytes are neither changed nor held back, a copy of the
 * text goes to the capture. Whatever goes wrong on this side is told to `problem`, and the call goes on as if nobody looked.
 */
import type { CapturedCall, SeenRequest } from "@spoor/core/internal/capture/seen";
import { deferredCall, safeCall } from "./captured-call.ts";
import { describeFailure, isAbort } from "./describe-failure.ts";
import { type FetchArguments, readRequest, targetOf, withHeaders } from "./seen-request.ts";
import { watchBody } from "./watch-body.ts";
import { watchedResponse } from "./watched-response.ts";

export type Fetch = typeof globalThis.fetch;

export interface FetchDoor {
  /** Whether a call to this address may be one of a model; nothing else of it is looked at before. */
  wants(method: string, url: string): boolean;
  /** A call is about to be made; undefined when it is not recorded after all. */
  request(seen: SeenRequest): CapturedCall | undefined;
  now(): number;
  problem(error: unknown): void;
  /** Headers that a call of a model is sent with beside its own: to another recorder on the way, never to a model. */
  marks?(url: string): Readonly<Record<string, string>> | undefined;
  /** The most that is kept of a body whose text has to be collected. */
  readonly maxBodyBytes: number;
}

export function wrapFetch(fetch: Fetch, door: FetchDoor): Fetch {
  async function watched(this: unknown, input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const looked = look({ input, init }, door);
    if (looked === undefined) return fetch.call(this, input, init);
    const { call, send, signal } = looked;
    let response: Response;
    try {
      response = await fetch.call(this, send.input, send.init);
    } catch (error) {
      call.broke(isAbort(error, signal) ? "client" : "server", describeFailure(error), door.now());
      throw error;
    }
    return answered(response, looked, door);
  }
  return Object.defineProperties(watched as Fetch, {
    name: { value: fetch.name, configurable: true },
    length: { value: fetch.length, configurable: true },
    [WATCHED]: { value: fetch },
  });
}

/** Known to every copy of this package. */
const WATCHED = Symbol.for("spoor.watched-fetch");

/** What a watched fetch calls: a call that two recorders look at would be recorded twice. */
export function unwatched(fetch: Fetch): Fetch {
  const inner = (fetch as { [WATCHED]?: Fetch })[WATCHED];
  return inner === undefined ? fetch : unwatched(inner);
}

interface Looked {
  readonly call: CapturedCall;
  readonly send: FetchArguments;
  readonly signal: AbortSignal | undefined;
}

function look(given: FetchArguments, door: FetchDoor): Looked | undefined {
  try {
    const target = targetOf(given);
    if (!door.wants(target.method, target.url)) return undefined;
    const atMs = door.now();
    const { send, signal, body, ...rest } = readRequest(given, target, door.maxBodyBytes);
    if (body === undefined) return undefined;
    const make = (text: string | undefined) =>
      text === undefined ? undefined : door.request({ ...rest, body: text, atMs });
    const call = typeof body === "string" ? make(body) : deferredCall(body.then(make), door.problem);
    if (call === undefined) return undefined;
    const marks = door.marks?.(target.url);
    return { call: safeCall(call, door.problem), send: marks === undefined ? send : withHeaders(send, marks), signal };
  } catch (error) {
    door.problem(error);
    return undefined;
  }
}

function answered(response: Response, { call, signal }: Looked, door: FetchDoor): Response {
  try {
    call.head(response.status, Object.fromEntries(response.headers), door.now());
    if (response.body === null) {
      call.end(door.now());
      return response;
    }
    const decoder = new TextDecoder();
    const say = (text: string) => {
      if (text !== "") call.text(text, door.now());
    };
    const body = watchBody(response.body, {
      chunk: (bytes) => say(decoder.decode(bytes, { stream: true })),
      ended() {
        say(decoder.decode());
        call.end(door.now());
      },
      failed: (error) => call.broke(isAbort(error, signal) ? "client" : "server", describeFailure(error), door.now()),
      left: () => call.broke("client", { message: "The body was not read to its end." }, door.now()),
    });
    return watchedResponse(response, body);
  } catch (error) {
    door.problem(error);
    return response;
  }
}
