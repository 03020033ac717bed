/**
 * A scripted model on 127.0.0.1 that speaks four APIs (chat completions, Responses, Messages, Gemini), whole and streamed,
 * so that real clients and agents run without any network. It keeps what it was asked and what it answered: the truth
 * that a recording is compared with.
 */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { type ReceivedRequest, sendJson, startServer, type TestServer } from "../../../spoor/test/http-server.ts";
import { byWords, type Trouble, troubleOf } from "./by-words.ts";
import type { AnsweredCall, Model, Usage } from "./said.ts";
import { type HowItEnded, sendAnswer } from "./send-answer.ts";
import type { Body, Wire } from "./wire.ts";
import { chatWire } from "./wire-chat.ts";
import { geminiWire } from "./wire-gemini.ts";
import { messagesWire } from "./wire-messages.ts";
import { responsesWire } from "./wire-responses.ts";

/** One call of a model, as the server knows it. */
export interface Exchange {
  readonly api: Wire["name"];
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
  readonly streamed: boolean;
  readonly status: number;
  /** Absent when the request failed. */
  readonly answer?: {
    readonly calls: readonly AnsweredCall[];
    readonly text?: string;
    /** As far as the client was told. */
    readonly usage?: Usage;
    /** What a call without streaming returns. */
    readonly whole: object;
  };
  /** Absent as long as the answer is under way. `left`: the client went before the end. */
  ended?: HowItEnded;
}

export interface ModelServer extends TestServer {
  /** In the order in which they were asked. */
  readonly exchanges: readonly Exchange[];
}

const wires: readonly Wire[] = [chatWire, responsesWire, messagesWire, geminiWire];

/** `trouble`: how answers are spoiled; by words of the user's text, like the answers of the model that is the default. */
export async function startModelServer(model: Model = byWords, trouble = troubleOf): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const tries = new Map<string, number>();
  const callsOfResponse = new Map<string, number>();

  const server = await startServer((request, response) => {
    const path = request.path.split("?")[0]!;
    const wire = request.method === "POST" ? wires.find((one) => one.matches(path)) : undefined;
    if (wire === undefined || !isBody(request.body)) sendOther(path, response);
    else answer(wire, path, request, request.body, response);
  });
  return { ...server, exchanges };

  function answer(wire: Wire, path: string, request: ReceivedRequest, body: Body, response: ServerResponse): void {
    const seen = wire.asked(body);
    const before = callsOfResponse.get(String(body["previous_response_id"])) ?? 0;
    const asked = { ...seen, callsSoFar: seen.callsSoFar + before };
    const spoiled = trouble(asked);
    const digest = digestOf(path, body);
    const attempt = (tries.get(digest) ?? 0) + 1;
    tries.set(digest, attempt);
    const fails = spoiled.status !== undefined && (spoiled.once !== true || attempt % 2 === 1);
    const common = { api: wire.name, path, headers: request.headers, body, streamed: wire.streams(path, body) };
    if (fails) {
      exchanges.push({ ...common, status: spoiled.status!, ended: "whole" });
      sendFailure(wire, spoiled.status!, response);
      return;
    }
    const said = model(asked);
    // By content, not by order: calls side by side get the same ids in every run.
    const made = wire.answer(said, { body, id: attempt > 1 ? `${digest}x${attempt}` : digest });
    const exchange: Exchange = {
      ...common,
      status: 200,
      answer: {
        calls: made.calls,
        whole: made.whole,
        ...(said.text === undefined ? {} : { text: said.text }),
        ...(common.streamed && !made.streamTellsUsage ? {} : { usage: said.usage }),
      },
    };
    exchanges.push(exchange);
    if (wire.name === "responses") callsOfResponse.set(idOf(made.whole), asked.callsSoFar + made.calls.length);
    const ending = spoiled.breaks === "error" ? wire.errorEvent?.("Overloaded") : undefined;
    const how: Trouble & { ending?: string } = { ...spoiled, ...(ending === undefined ? {} : { ending }) };
    void sendAnswer(response, common.streamed ? made.events : [JSON.stringify(made.whole)], common.streamed, how).then(
      (ended) => {
        exchange.ended = ended;
      },
    );
  }
}

function idOf(whole: object): string {
  return "id" in whole ? String(whole.id) : "";
}

function isBody(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Lists of models and counts of tokens, which some agents ask for. */
function sendOther(path: string, response: ServerResponse): void {
  if (path.endsWith("/count_tokens")) sendJson(response, { input_tokens: 1 });
  else sendJson(response, { object: "list", data: [], models: [] }, path.includes("/models") ? 200 : 404);
}

function sendFailure(wire: Wire, status: number, response: ServerResponse): void {
  const kinds: Readonly<Record<number, string>> = { 400: "invalid_request_error", 429: "rate_limit_error" };
  const kind = kinds[status] ?? "server_error";
  // Clients wait a second or more without these.
  const soon = { "retry-after": "0", "retry-after-ms": "5" };
  sendJson(response, wire.failure(kind, `scripted failure ${status}`), status, status === 400 ? {} : soon);
}

function digestOf(path: string, body: Body): string {
  return createHash("sha256").update(path).update(JSON.stringify(body)).digest("hex").slice(0, 10);
}
