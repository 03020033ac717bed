/**
 * Hands one request on to its upstream and the answer back: status, headers and bytes as they came, each chunk at once, neither
 * side faster than the other can take it. Whoever goes away takes the other connection with him. What is seen on the way is told
 * to a watcher afterwards (`later.ts`).
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import type { AnswerToSend } from "@spoor/record/internal/recorder/replay/served-answer";
import type { ExchangeWatch } from "./exchange-watch.ts";
import { headerRecord, requestHeaders, responseHeaders } from "./headers.ts";
import type { Later } from "./later.ts";
import type { Target } from "./routes.ts";
import { cutOff, sendAnswer } from "./send-answer.ts";
import type { UpstreamAgents } from "./upstream-agents.ts";

/** What is forwarded: a request as it comes in, or one that was read already. */
export type ForwardedMessage = Pick<IncomingMessage, "method" | "headers" | "rawHeaders"> & Readable;

export interface ForwardOptions {
  readonly target: Target;
  readonly agents: UpstreamAgents;
  readonly later: Later;
  readonly watch: ExchangeWatch | undefined;
  readonly now: () => number;
  /** Looks at the whole answer before any of it is handed on, and may give another in its place. */
  readonly hold?: ((answer: HeldAnswer) => AnswerToSend | undefined) | undefined;
}

export interface HeldAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** As much of a request as is kept until its answer begins, to send it again on a connection that was closed meanwhile. */
const KEPT_FOR_RETRY = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 256 * 1024;

export function forward(request: ForwardedMessage, response: ServerResponse, options: ForwardOptions): void {
  const { target, watch, now } = options;
  const tell = (work: (watch: ExchangeWatch) => void) => {
    if (watch !== undefined) options.later.do(() => work(watch));
  };
  let settled = false;
  const settle = (work: (watch: ExchangeWatch, atMs: number) => void) => {
    if (settled) return;
    settled = true;
    const atMs = now();
    tell((watch) => work(watch, atMs));
  };
  let kept: Buffer[] | undefined = [];
  let keptBytes = 0;
  let isWhole = false;
  let upstream = open(false);

  request.on("data", (chunk: Buffer) => {
    if (!upstream.write(chunk)) pauseUntilDrained(request, upstream);
    keptBytes += chunk.length;
    if (keptBytes > KEPT_FOR_RETRY) kept = undefined;
    kept?.push(chunk);
    tell((watch) => watch.sent(chunk));
  });
  request.on("end", () => {
    isWhole = true;
    upstream.end();
  });
  // An aborted request is seen when its response closes.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  response.on("close", () => {
    if (response.writableFinished) return;
    upstream.destroy();
    settle((watch, atMs) => watch.broke("client", { message: "the client closed the connection" }, atMs));
  });

  function open(fresh: boolean): ClientRequest {
    const { secure, ...where } = options.agents.optionsFor(target);
    const headers = requestHeaders(request.rawHeaders, target.origin.host);
    if (request.headers["transfer-encoding"] !== undefined) headers.push("Transfer-Encoding", "chunked");
    const made = (secure ? httpsRequest : httpRequest)({
      ...where,
      ...(fresh ? { agent: false } : {}),
      method: request.method ?? "GET",
      headers: headers as never,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    made.setNoDelay(true);
    // On a connection of its own nothing can have been closed meanwhile.
    made.once("socket", () => {
      if (!made.reusedSocket) kept = undefined;
    });
    made.once("finish", () => tell((watch) => watch.sentAll()));
    made.on("response", (answer) => relay(answer));
    made.on("error", (error: NodeJS.ErrnoException) => failed(made, error));
    return made;
  }

  function failed(failing: ClientRequest, error: NodeJS.ErrnoException): void {
    if (failing !== upstream || settled || response.destroyed) return;
    const isCut = error.code === "ECONNRESET" || error.code === "EPIPE";
    // The pool is ours, so is the race with a server that closes an idle connection while a request is on its way to it.
    if (isCut && failing.reusedSocket && isWhole && kept !== undefined && !response.headersSent) {
      const chunks = kept;
      kept = undefined;
      upstream = open(true);
      for (const chunk of chunks) upstream.write(chunk);
      upstream.end();
      return;
    }
    settle((watch, atMs) => watch.broke("server", described(error), atMs));
    if (response.headersSent || isCut) cutOff(response);
    else refuse(response, 502, unreachable(target, error));
  }

  function relay(answer: IncomingMessage): void {
    kept = undefined;
    if (options.hold !== undefined) {
      holdBack(answer, options.hold);
      return;
    }
    const status = answer.statusCode ?? 502;
    response.sendDate = false;
    response.writeHead(status, answer.statusMessage ?? "", responseHeaders(answer.rawHeaders) as never);
    response.flushHeaders();
    const atMs = now();
    tell((watch) => watch.head(status, headerRecord(answer.rawHeaders), atMs));
    answer.on("data", (chunk: Buffer) => {
      if (!response.write(chunk)) pauseUntilDrained(answer, response);
      const atMs = now();
      tell((watch) => watch.received(chunk, atMs));
    });
    answer.on("end", () => {
      if (!answer.complete) return;
      response.end();
      settle((watch, atMs) => watch.ended(atMs));
    });
    answer.on("error", () => undefined);
    answer.on("close", () => {
      if (answer.complete) return;
      settle((watch, atMs) => watch.broke("server", { code: "ECONNRESET", message: "the answer was cut off" }, atMs));
      cutOff(response);
    });
  }

  /** What is recorded is what was handed on. */
  function holdBack(answer: IncomingMessage, hold: NonNullable<ForwardOptions["hold"]>): void {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("error", () => undefined);
    answer.on("close", () => {
      if (settled) return;
      if (!answer.complete) {
        settle((watch, atMs) => watch.broke("server", { code: "ECONNRESET", message: "the answer was cut off" }, atMs));
        cutOff(response);
        return;
      }
      const status = answer.statusCode ?? 502;
      const body = Buffer.concat(chunks);
      const instead = hold({ status, headers: headerRecord(answer.rawHeaders), body });
      if (instead !== undefined) {
        sendAnswer(instead, response, { watch, later: options.later, now });
        settled = true;
        return;
      }
      response.sendDate = false;
      response.writeHead(status, answer.statusMessage ?? "", responseHeaders(answer.rawHeaders) as never);
      response.end(body);
      const atMs = now();
      tell((watch) => watch.head(status, headerRecord(answer.rawHeaders), atMs));
      tell((watch) => watch.received(body, atMs));
      settle((watch, endMs) => watch.ended(endMs));
    });
  }
}

/** An answer of the proxy's own, in the shape clients of model APIs read. */
export function refuse(
  response: ServerResponse,
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(`${JSON.stringify({ error: { type: "spoor_proxy", code, message: `spoor record: ${message}` } })}\n`);
}

function unreachable({ origin }: Target, error: NodeJS.ErrnoException): { code: string; message: string } {
  const { code = "EUNKNOWN", message } = described(error);
  return { code, message: `${origin.origin} cannot be reached: ${code === message ? code : `${code} (${message})`}` };
}

/** Several addresses tried and failed come as one error without words of its own. */
function described(error: NodeJS.ErrnoException & { errors?: readonly Error[] }): { code?: string; message: string } {
  const message = error.message || error.errors?.[0]?.message || error.code || "unknown error";
  return { ...(error.code === undefined ? {} : { code: error.code }), message };
}

function pauseUntilDrained(from: Readable, to: ClientRequest | ServerResponse): void {
  from.pause();
  to.once("drain", () => from.resume());
}
