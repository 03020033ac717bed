/** An answer that nobody upstream gave, sent as one would have: pieces at their moments, broken off where the recorded one was. */
import type { ServerResponse } from "node:http";
import { type AnswerToSend, LEAVING_MS } from "@spoor/record/internal/recorder/replay/served-answer";
import type { ExchangeWatch } from "./exchange-watch.ts";
import type { Later } from "./later.ts";

export interface SendOptions {
  readonly watch: ExchangeWatch | undefined;
  readonly later: Later;
  readonly now: () => number;
}

export function sendAnswer(answer: AnswerToSend, response: ServerResponse, { watch, later, now }: SendOptions): void {
  const tell = (work: (watch: ExchangeWatch, atMs: number) => void) => {
    const atMs = now();
    if (watch !== undefined) later.do(() => work(watch, atMs));
  };
  const { status, headers, pieces, breaksOff } = answer;
  const startedMs = performance.now();
  let isOver = false;
  response.on("close", () => {
    if (isOver) return;
    isOver = true;
    tell((watch, atMs) => watch.broke("client", { message: "the client closed the connection" }, atMs));
  });
  if (status === 0) {
    isOver = true;
    tell((watch, atMs) => watch.broke("server", { code: "ECONNRESET", message: "recorded as failed" }, atMs));
    cutOff(response);
    return;
  }
  response.writeHead(status, { ...headers });
  tell((watch, atMs) => watch.head(status, { ...headers }, atMs));
  next(0);

  function next(index: number): void {
    if (isOver) return;
    const piece = pieces[index];
    if (piece === undefined) {
      end();
      return;
    }
    const waitMs = piece.atMs === undefined ? 0 : startedMs + piece.atMs - performance.now();
    if (waitMs > 0) setTimeout(() => send(index), waitMs);
    else send(index);
  }

  function send(index: number): void {
    if (isOver) return;
    const bytes = Buffer.from(pieces[index]!.text);
    tell((watch, atMs) => watch.received(bytes, atMs));
    if (response.write(bytes)) next(index + 1);
    else response.once("drain", () => next(index + 1));
  }

  function end(): void {
    if (breaksOff === "later") setTimeout(finish, LEAVING_MS).unref();
    else finish();
  }

  function finish(): void {
    if (isOver) return;
    isOver = true;
    if (breaksOff !== undefined) {
      tell((watch, atMs) => watch.broke("server", { code: "ECONNRESET", message: "the answer was cut off" }, atMs));
      cutOff(response);
      return;
    }
    response.end();
    tell((watch, atMs) => watch.ended(atMs));
  }
}

/** The client gets every byte that came, and then no end: what was on its way to it must not be lost with the connection. */
export function cutOff(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || socket.destroyed) response.destroy();
  else socket.end(() => response.destroy());
}
