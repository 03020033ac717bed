/**
 * `fetch` that sends some inputs of an agent as another version of it has them: for `spoor why`, which says so in SPOOR_EXCHANGE, and for
 * nobody else. It stands outside the recorder, so that what is recorded is what was sent.
 */
import { readFileSync } from "node:fs";
import type { InputChange } from "@spoor/core/internal/why/changed-input";
import { exchangeInputs } from "@spoor/core/internal/why/exchange-inputs";
import type { Fetch } from "../../recorder/fetch/wrap-fetch.ts";

export function readExchange(file: string): readonly InputChange[] {
  return JSON.parse(readFileSync(file, "utf8")) as readonly InputChange[];
}

/** A body that is no text is sent as it is; the recording shows that nothing was exchanged in it. */
export function exchangeFetch(fetch: Fetch, inputs: readonly InputChange[]): Fetch {
  return async (input, init) => {
    const request = typeof input === "object" && "clone" in input ? input : undefined;
    const body = await bodyText(request, init);
    if (body === undefined) return fetch(input, init);
    const given = { url: request?.url ?? String(input), body };
    const made = exchangeInputs(given, inputs);
    if (made.body === given.body && made.url === given.url) return fetch(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    headers.delete("content-length");
    const { method, signal } = request ?? {};
    const kept = request === undefined ? init : { method, signal, ...init };
    return fetch(made.url, { ...kept, headers, body: made.body } as RequestInit);
  };
}

async function bodyText(request: Request | undefined, init: RequestInit | undefined): Promise<string | undefined> {
  const body: unknown = init?.body;
  if (typeof body === "string") return body;
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body as Uint8Array);
  if (body instanceof Blob) return body.text();
  if (body !== undefined && body !== null) return undefined;
  return request === undefined || request.body === null || request.bodyUsed ? undefined : request.clone().text();
}
