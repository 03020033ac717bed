/**
 * A request that comes to a proxy which replays: read whole, then answered from the recordings, refused, or handed on. Where the model
 * is recorded nothing is handed on at all: no connection is made to anyone.
 */
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import { refusedAnswer } from "@spoor/record/internal/recorder/replay/replay-error";
import { DECIDED_HEADER } from "@spoor/record/internal/recorder/replay/replay-fetch";
import type { Replayer } from "@spoor/record/internal/recorder/replay/replayer";
import type { AnswerToSend } from "@spoor/record/internal/recorder/replay/served-answer";
import { decodeBody } from "./body-decoder.ts";
import { type ForwardedMessage, type ForwardOptions, forward } from "./forward.ts";
import { sendAnswer } from "./send-answer.ts";

export interface ReplayExchangeOptions extends Omit<ForwardOptions, "hold"> {
  readonly replayer: Replayer;
  readonly session?: StatedSession | undefined;
}

export async function replayExchange(
  request: ForwardedMessage,
  response: ServerResponse,
  options: ReplayExchangeOptions,
): Promise<void> {
  const { replayer, session, target, ...passing } = options;
  const body = await wholeBody(request).catch(() => undefined);
  if (body === undefined) return;
  const again: ForwardedMessage = Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
    method: request.method,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
  });
  const method = request.method ?? "GET";
  const url = `${target.origin.origin}${target.path}`;
  const text = decodeBody(body, request.headers["content-encoding"]);
  const wasDecided = request.headers[DECIDED_HEADER] === "1";
  const decision = wasDecided || text === undefined ? undefined : replayer.decide({ method, url, body: text, session });
  if (decision?.kind === "answer") {
    answer(decision.answer);
    return;
  }
  if (replayer.model === "recorded") {
    const message = `${method} ${target.path.replace(/[?#].*$/s, "")} is no call of a model that the recordings could answer, and nothing is asked upstream.`;
    const { status, headers, text: said } = refusedAnswer(undefined, { status: 400, code: "replay.miss", message });
    answer({ status, headers, pieces: [{ text: said }] });
    return;
  }
  if (text === undefined && replayer.tools === "recorded") {
    const message = "The request is packed in a way that cannot be read here, so its answer could not be judged.";
    const {
      status,
      headers,
      text: said,
    } = refusedAnswer(undefined, { status: 502, code: "replay.tools-open", message });
    answer({ status, headers, pieces: [{ text: said }] });
    return;
  }
  const check = decision?.kind === "ask" ? decision.check : undefined;
  forward(again, response, {
    target,
    ...passing,
    hold:
      check === undefined
        ? undefined
        : ({ status, headers, body: came }) =>
            check({
              status,
              contentType: headers["content-type"] ?? "",
              // What cannot be unpacked cannot be read.
              text: decodeBody(came, headers["content-encoding"]) ?? "[packed]",
            }),
  });

  function answer(made: AnswerToSend): void {
    passing.later.do(() => {
      if (body!.length > 0) passing.watch?.sent(body!);
      passing.watch?.sentAll();
    });
    sendAnswer(made, response, passing);
  }
}

function wholeBody(request: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the client closed the connection")));
  });
}
