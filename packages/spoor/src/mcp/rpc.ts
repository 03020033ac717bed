/**
 * JSON-RPC 2.0 as MCP speaks it: over lines on standard input and output, or one message at a time. Over lines requests are answered one after
 * the other, because each may read files of any size; whoever only asks whether anybody is there is answered at once.
 */
import type { Readable } from "node:stream";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, type Json, type JsonObject, member, stringifyJson } from "@spoor/core/internal/trace/json";

/** An error of the protocol, not of a tool. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const INVALID_REQUEST = -32600;
export const NO_METHOD = -32601;
export const INVALID_PARAMS = -32602;
const NOT_JSON = -32700;
const INTERNAL = -32603;

export interface RpcHandler {
  /** The answer to a request; throws RpcError. */
  request(method: string, params: Json): Promise<JsonObject> | JsonObject;
  notification(method: string, params: Json): void;
}

export interface RpcPeer {
  /** Asks the other side; undefined when it refuses. */
  ask(method: string): Promise<Json | undefined>;
}

/**
 * The answer to a message that comes alone, or to a batch of them; undefined when none is expected. Nobody can be asked back. `onBug` hears what is
 * told to nobody else.
 */
export async function answerMessage(
  message: Json,
  request: RpcHandler["request"],
  onBug: (error: unknown) => void,
): Promise<JsonObject | readonly JsonObject[] | undefined> {
  if (!Array.isArray(message)) return answerOne(message);
  if (message.length === 0) return failed(null, new RpcError(INVALID_REQUEST, "An empty batch."));
  const answers: JsonObject[] = [];
  for (const one of message) {
    const answer = await answerOne(one);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : answers;

  async function answerOne(one: Json): Promise<JsonObject | undefined> {
    const id = member(one, "id");
    const method = member(one, "method");
    if (!isObject(one) || (method !== undefined && typeof method !== "string")) return failed(null, noMessage());
    if (method === undefined || id === undefined) return undefined;
    if (method === "ping") return { jsonrpc: "2.0", id, result: {} };
    try {
      return { jsonrpc: "2.0", id, result: await request(method, member(one, "params") ?? {}) };
    } catch (error) {
      if (!(error instanceof RpcError)) onBug(error);
      return failed(id, error);
    }
  }
}

/** The answer to what is no JSON at all. */
export function notJson(): JsonObject {
  return failed(null, new RpcError(NOT_JSON, "This is not JSON."));
}

function noMessage(): RpcError {
  return new RpcError(INVALID_REQUEST, "This is no message of JSON-RPC.");
}

/** A message of more than this is no question. */
const MOST_LINE_BYTES = 16 * 1024 ** 2;

/** Resolves when the other side has closed its end and everything it asked was answered. */
export async function serveRpc(
  input: Readable,
  write: (text: string) => void,
  handlerOf: (peer: RpcPeer) => RpcHandler,
): Promise<void> {
  const asked = new Map<string, (result: Json | undefined) => void>();
  let questions = 0;
  let queue = Promise.resolve();
  const cancelled = new Set<string>();
  const send = (message: JsonObject | readonly JsonObject[]) => write(`${stringifyJson(message as Json)}\n`);
  const handler = handlerOf({
    ask(method) {
      const id = `spoor-${++questions}`;
      send({ jsonrpc: "2.0", id, method });
      return new Promise((resolve) => asked.set(id, resolve));
    },
  });

  for await (const line of linesOf(input)) {
    if (line === undefined) send(failed(null, new RpcError(INVALID_REQUEST, "The message is too long.")));
    else if (line.trim() !== "") receive(line);
  }
  for (const resolve of asked.values()) resolve(undefined);
  await queue;

  function receive(line: string): void {
    const message = parseJsonText(line);
    if (message === undefined) send(notJson());
    else if (Array.isArray(message)) receiveBatch(message);
    else handle(message, send);
  }

  /** The protocol of March 2025 had batches, which are answered as one. */
  function receiveBatch(messages: readonly Json[]): void {
    const expected = messages.filter((one) => member(one, "method") !== undefined && member(one, "id") !== undefined);
    if (messages.length === 0) send(failed(null, new RpcError(INVALID_REQUEST, "An empty batch.")));
    const answers: JsonObject[] = [];
    for (const one of messages)
      handle(one, (answer) => {
        answers.push(answer);
        if (answers.length === expected.length) send(answers);
      });
  }

  function handle(message: Json, answer: (message: JsonObject) => void): void {
    const id = member(message, "id");
    const method = member(message, "method");
    const params = member(message, "params") ?? {};
    if (!isObject(message) || (method !== undefined && typeof method !== "string")) {
      answer(failed(null, noMessage()));
    } else if (method === undefined) {
      if (typeof id !== "string") return;
      asked.get(id)?.(member(message, "result"));
      asked.delete(id);
    } else if (id === undefined) {
      if (method === "notifications/cancelled") cancelled.add(stringifyJson(member(params, "requestId") ?? null));
      handler.notification(method, params);
    } else if (method === "ping") {
      answer({ jsonrpc: "2.0", id, result: {} });
    } else {
      queue = queue.then(() => answerRequest(method, params, id, answer));
    }
  }

  async function answerRequest(
    method: string,
    params: Json,
    id: Json,
    answer: (message: JsonObject) => void,
  ): Promise<void> {
    if (cancelled.delete(stringifyJson(id))) return;
    try {
      const result = await handler.request(method, params);
      // Whoever has taken a question back expects no answer.
      if (!cancelled.delete(stringifyJson(id))) answer({ jsonrpc: "2.0", id, result });
    } catch (error) {
      answer(failed(id, error));
    }
  }
}

function failed(id: Json, error: unknown): JsonObject {
  const isOwn = error instanceof RpcError;
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: isOwn ? error.code : INTERNAL,
      message: isOwn ? error.message : "Spoor itself failed; this is a bug.",
    },
  };
}

/** Undefined for a line that is longer than any message; what is left of it is passed over. */
async function* linesOf(input: Readable): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  let isTooLong = false;
  for await (const data of input) {
    let chunk = Buffer.from(data as Uint8Array);
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      parts.push(chunk.subarray(0, end));
      if (!isTooLong) yield Buffer.concat(parts).toString("utf8");
      parts = [];
      size = 0;
      isTooLong = false;
      chunk = chunk.subarray(end + 1);
    }
    size += chunk.length;
    if (isTooLong) continue;
    parts.push(chunk);
    if (size <= MOST_LINE_BYTES) continue;
    yield undefined;
    parts = [];
    isTooLong = true;
  }
  if (parts.length > 0 && !isTooLong) yield Buffer.concat(parts).toString("utf8");
}
