/**
 * Stands before an MCP server that speaks streamable HTTP: what a client posts is judged and sent on, what comes back, as JSON
 * or as a stream of events, is read on its way. Each session of the server is a guarded session.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { messageOf } from "@spoor/core/internal/errors";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { type Json, member, stringifyJson } from "@spoor/core/internal/trace/json";
import type { Door, DoorSession } from "./door.ts";

export interface HttpOptions {
  /** Where the server is. */
  readonly target: URL;
  readonly say: (line: string) => void;
}

const SESSION_HEADER = "mcp-session-id";
/** The one session of a server that keeps none. */
const STATELESS = "stateless";
/** Headers that belong to one connection, or that change when a body is written anew. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "keep-alive", "accept-encoding", "content-encoding"],
  ...["expect", "upgrade", "te", "trailer"],
]);

export function createHttpProxy(door: Door, { target, say }: HttpOptions): Server {
  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      say(`A request failed: ${messageOf(error)}`);
      if (response.headersSent) response.destroy();
      else respond(response, 502, failure("The server behind spoor guard could not be asked."));
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request.headers.origin))
      return respond(response, 403, failure("Requests from web pages of other hosts are refused."));
    const id = request.headers[SESSION_HEADER];
    if (request.method === "POST") return post(request, response, typeof id === "string" ? id : undefined);
    // A stream of the server's own messages, or the end of a session.
    const upstream = await ask(request, undefined);
    return relay(upstream, response, door.session(typeof id === "string" ? id : STATELESS), []);
  }

  async function post(request: IncomingMessage, response: ServerResponse, id: string | undefined): Promise<void> {
    const message = parseJsonText(await readText(request));
    if (message === undefined)
      return respond(response, 400, failure("This is not JSON, so it is not passed on.", -32700));
    if (id === undefined && member(message, "method") === "initialize") return open(request, response, message);
    const session = door.session(id ?? STATELESS);
    const { forward, answer } = session.fromClient(message);
    await session.written();
    if (forward.length === 0) return respond(response, 200, answer.length === 1 ? answer[0]! : [...answer]);
    const upstream = await ask(request, stringifyJson(Array.isArray(message) ? [...forward] : forward[0]!));
    return relay(upstream, response, session, answer);
  }

  /** The server names the session in its answer to the opening, which also says what the server is called. */
  async function open(request: IncomingMessage, response: ServerResponse, message: Json): Promise<void> {
    const upstream = await ask(request, stringifyJson(message));
    const session = door.session(upstream.headers.get(SESSION_HEADER) ?? STATELESS);
    session.fromClient(message);
    return relay(upstream, response, session, []);
  }

  function ask(request: IncomingMessage, body: string | undefined): Promise<Response> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (value !== undefined && !OWN_HEADERS.has(name))
        headers.set(name, Array.isArray(value) ? value.join(", ") : value);
    return fetch(target, {
      method: request.method ?? "GET",
      headers,
      redirect: "manual",
      ...(body === undefined ? {} : { body }),
    });
  }
}

/** Hands an answer on; every message in it is heard first. */
async function relay(
  upstream: Response,
  response: ServerResponse,
  session: DoorSession,
  answers: readonly Json[],
): Promise<void> {
  const type = upstream.headers.get("content-type") ?? "";
  const headers: Record<string, string> = {};
  upstream.headers.forEach((value, name) => {
    if (!OWN_HEADERS.has(name)) headers[name] = value;
  });
  response.writeHead(upstream.status, headers);
  const hear = async (message: Json): Promise<readonly Json[]> => {
    const heard = session.fromServer(message);
    await session.written();
    return heard;
  };
  if (type.startsWith("text/event-stream")) {
    for (const answer of answers) response.write(event(answer));
    for await (const block of eventsOf(upstream)) response.write(await relayedEvent(block, hear));
  } else {
    const text = await upstream.text();
    const message = type.startsWith("application/json") ? parseJsonText(text) : undefined;
    if (message === undefined) response.write(text);
    else {
      const heard = [...(await hear(message)), ...answers];
      response.write(stringifyJson(Array.isArray(message) || heard.length > 1 ? heard : heard[0]!));
    }
  }
  response.end();
}

/** The blocks of an event stream, each with its lines. */
async function* eventsOf(upstream: Response): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of upstream.body ?? []) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true }).replaceAll("\r\n", "\n");
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      yield rest.slice(0, end);
      rest = rest.slice(end + 2);
    }
  }
  if (rest.trim() !== "") yield rest;
}

/** The same event with the message that is handed on in place of the one that came. */
async function relayedEvent(block: string, hear: (message: Json) => Promise<readonly Json[]>): Promise<string> {
  const lines = block.split("\n");
  const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).replace(/^ /, ""));
  const message = data.length === 0 ? undefined : parseJsonText(data.join("\n"));
  if (message === undefined) return `${block}\n\n`;
  const others = lines.filter((line) => !line.startsWith("data:"));
  const heard = await hear(message);
  return `${[...others, `data: ${stringifyJson(Array.isArray(message) ? [...heard] : heard[0]!)}`].join("\n")}\n\n`;
}

function event(message: Json): string {
  return `event: message\ndata: ${stringifyJson(message)}\n\n`;
}

/** A page of another host in the user's browser must not reach a server on the user's machine. */
function isLocal(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  try {
    return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(origin).hostname);
  } catch {
    return false;
  }
}

function failure(message: string, code = -32603): Json {
  return { jsonrpc: "2.0", id: null, error: { code, message } };
}

function respond(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(stringifyJson(body));
}
