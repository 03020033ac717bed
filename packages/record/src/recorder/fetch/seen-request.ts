/** What a call of `fetch` is about to send, read without using anything up that `fetch` will read. */
import { collectText, readText } from "./collect-text.ts";

export interface FetchArguments {
  readonly input: string | URL | Request;
  readonly init?: RequestInit | undefined;
}

export interface Target {
  readonly method: string;
  readonly url: string;
}

export interface ReadRequest extends Target {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At once for texts and bytes; a promise for what is read while it is sent; undefined for what has no text. */
  readonly body: string | Promise<string | undefined> | undefined;
  readonly signal: AbortSignal | undefined;
  /** What to hand to `fetch`: the arguments themselves, but for a body that is a stream. */
  readonly send: FetchArguments;
}

/** Where a call goes, before anything else of it is looked at. */
export function targetOf({ input, init }: FetchArguments): Target {
  const request = isRequest(input) ? input : undefined;
  const method = init?.method ?? request?.method ?? "GET";
  return { method: String(method).toUpperCase(), url: request?.url ?? String(input) };
}

export function readRequest(given: FetchArguments, target: Target, maxBytes: number): ReadRequest {
  const { input, init } = given;
  const request = isRequest(input) ? input : undefined;
  const headers = Object.fromEntries(new Headers(init?.headers ?? request?.headers));
  const signal = init?.signal ?? request?.signal ?? undefined;
  // What has to be copied while it is sent may be anything, of any size: only what says that it is JSON.
  const isJson = /\bjson\b/i.test(headers["content-type"] ?? "");
  const read = { ...target, headers, signal, send: given };
  const body: unknown = init?.body;
  if (body === undefined || body === null)
    return { ...read, body: isJson ? textOfRequest(request, maxBytes) : undefined };
  if (!(body instanceof ReadableStream)) return { ...read, body: textOf(body, isJson) };
  if (body.locked || !isJson) return { ...read, body: undefined };
  const watched = collectText(body as ReadableStream<Uint8Array>, maxBytes);
  return { ...read, body: watched.text, send: { input, init: { ...init, body: watched.body } } };
}

/** The same call with further headers. */
export function withHeaders(
  { input, init }: FetchArguments,
  further: Readonly<Record<string, string>>,
): FetchArguments {
  const headers = new Headers(init?.headers ?? (isRequest(input) ? input.headers : undefined));
  for (const [name, value] of Object.entries(further)) headers.set(name, value);
  return { input, init: { ...init, headers } };
}

/** Also one of another copy of the library that made it. */
function isRequest(value: unknown): value is Request {
  return typeof value === "object" && value !== null && "headers" in value && "url" in value && "clone" in value;
}

/** A used one cannot be copied, and `fetch` will refuse it. */
function textOfRequest(request: Request | undefined, maxBytes: number): Promise<string | undefined> | undefined {
  if (request === undefined || request.body === null || request.bodyUsed) return undefined;
  return readText(request.clone().body as ReadableStream<Uint8Array>, maxBytes);
}

function textOf(body: unknown, isJson: boolean): string | Promise<string> | undefined {
  if (typeof body === "string") return body;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body as Uint8Array);
  // Forms and their like are not what models are asked with.
  return body instanceof Blob && isJson ? body.text() : undefined;
}
