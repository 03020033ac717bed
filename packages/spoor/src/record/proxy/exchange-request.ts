/**
 * A request that is handed on with some inputs exchanged: read whole, written anew. Only `spoor why` asks for it. What cannot be read
 * is handed on as it came, and the recording shows that nothing was exchanged in it.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { WireRequest } from "@spoor/core/internal/why/exchange-inputs";
import type { ForwardedMessage } from "./forward.ts";

export type Exchange = (request: WireRequest) => WireRequest;

export interface ExchangedRequest {
  readonly message: ForwardedMessage;
  readonly url: string;
}

export async function exchangeRequest(
  request: IncomingMessage,
  url: string,
  exchange: Exchange,
): Promise<ExchangedRequest> {
  const bytes = await buffer(request);
  const isPlain = request.method === "POST" && request.headers["content-encoding"] === undefined;
  const made = isPlain ? exchange({ url, body: bytes.toString("utf8") }) : undefined;
  const body = made === undefined ? bytes : Buffer.from(made.body, "utf8");
  const rawHeaders = withLength(request.rawHeaders, body.length);
  const { "transfer-encoding": _chunked, ...headers } = request.headers;
  const message = Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
    rawHeaders,
    headers,
    method: request.method ?? "GET",
  });
  return { message: message as ForwardedMessage, url: made?.url ?? url };
}

function withLength(raw: readonly string[], length: number): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    if (name !== "content-length" && name !== "transfer-encoding") headers.push(raw[at]!, raw[at + 1]!);
  }
  return [...headers, "Content-Length", String(length)];
}
