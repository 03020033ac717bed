/**
 * A reverse proxy on 127.0.0.1 for one command: clients are pointed at it by their base URL, it points at the model. It passes on
 * what it gets, and what happens on the way can be watched. Only whoever knows the token in its address can use it.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import type { Replayer } from "@spoor/record/internal/recorder/replay/replayer";
import { type Exchange, exchangeRequest } from "./exchange-request.ts";
import type { ExchangeWatch, ForwardedRequest } from "./exchange-watch.ts";
import { type ForwardedMessage, forward, refuse } from "./forward.ts";
import { headerRecord, spokenHeaders } from "./headers.ts";
import type { Later } from "./later.ts";
import { replayExchange } from "./replay-exchange.ts";
import { createToken, createTokenCheck, routeOf, type Target, targetOf, type Upstreams } from "./routes.ts";
import { createUpstreamAgents } from "./upstream-agents.ts";

/** Answers requests itself, instead of an upstream; gets the path after its name. */
export type Mount = (request: IncomingMessage, response: ServerResponse, rest: string) => void;

export interface RecordingProxyOptions {
  readonly upstreams: Upstreams;
  /** By name: `/t/<token>/<name>/…` is answered here. */
  readonly mounts?: ReadonlyMap<string, Mount>;
  /** Nobody is told of a request where this gives nothing. */
  readonly watch: (request: ForwardedRequest) => ExchangeWatch | undefined;
  readonly later: Later;
  /** Proxy variables, as `HTTPS_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Recordings that answer for the model, or are asked before its answers are handed on. */
  readonly replay?: { readonly replayer: Replayer; readonly session?: StatedSession | undefined } | undefined;
  /** What a request is sent as in place of itself; its recording is of what was sent. */
  readonly exchange?: Exchange | undefined;
  /** A free one unless said. */
  readonly port?: number;
}

export interface RecordingProxy {
  /** `http://127.0.0.1:45123/t/<token>`: routes are appended. */
  readonly url: string;
  counts(): ProxyCounts;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface ProxyCounts {
  readonly forwarded: number;
  /** Requests with a wrong token, host or route, which went nowhere. */
  readonly refused: number;
  /** WebSocket upgrades that were answered with 426: their clients fall back to HTTP, or fail. */
  readonly upgradesRefused: number;
}

const MAX_HEADER_BYTES = 256 * 1024;

export async function startRecordingProxy(options: RecordingProxyOptions): Promise<RecordingProxy> {
  const token = createToken();
  const pathAfterToken = createTokenCheck(token);
  const agents = createUpstreamAgents(options.env);
  const counts = { forwarded: 0, refused: 0, upgradesRefused: 0 };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, noDelay: true, keepAlive: true }, pass);
  withoutTimeouts(server);
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    const known = destination(request) !== undefined;
    counts[known ? "upgradesRefused" : "refused"]++;
    socket.on("error", () => undefined);
    socket.end(
      `HTTP/1.1 ${known ? "426 Upgrade Required" : "404 Not Found"}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const hosts: ReadonlySet<string> = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);

  return {
    url: `http://127.0.0.1:${port}/t/${token}`,
    counts: () => ({ ...counts }),
    async close() {
      server.close();
      server.closeAllConnections();
      agents.close();
      await once(server, "close");
    },
  };

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const found = destination(request);
    if (found === undefined) {
      counts.refused++;
      refuse(response, 404, { code: "not_found", message: "there is nothing here" });
      return;
    }
    if (typeof found === "function") {
      found(request, response);
      return;
    }
    counts.forwarded++;
    const headers = headerRecord(request.rawHeaders);
    const spoken = spokenHeaders(headers);
    const url = `${found.origin.origin}${found.path}`;
    const skipped = spoken["x-spoor-skip"] === "1";
    const { later, now, replay, exchange } = options;
    const pass = (message: ForwardedMessage, target: Target, sent: string) => {
      const watch = skipped
        ? undefined
        : options.watch({ method: request.method ?? "GET", url: sent, headers, spoken, atMs: now() });
      if (replay !== undefined)
        void replayExchange(message, response, { ...replay, target, agents, later, watch, now });
      else forward(message, response, { target, agents, later, watch, now });
    };
    // Whoever recorded it already has exchanged what there is to exchange.
    if (exchange === undefined || skipped) {
      pass(request, found, url);
      return;
    }
    exchangeRequest(request, url, exchange).then(
      ({ message, url: sent }) => pass(message, { ...found, path: sent.slice(found.origin.origin.length) }, sent),
      () => response.destroy(),
    );
  }

  /** A target, or who answers in its place; nothing for whoever has no business here. */
  function destination(request: IncomingMessage) {
    // A page in a browser can make its own name lead to 127.0.0.1; it cannot make the name another.
    if (!hosts.has((request.headers.host ?? "").toLowerCase())) return undefined;
    const path = pathAfterToken(request.url ?? "");
    const route = path === undefined ? undefined : routeOf(path);
    if (route === undefined) return undefined;
    const mount = options.mounts?.get(route.name);
    if (mount !== undefined)
      return (request: IncomingMessage, response: ServerResponse) => mount(request, response, route.rest);
    const upstream = options.upstreams.get(route.name);
    return upstream === undefined ? undefined : targetOf(upstream, route.rest);
  }
}

/** How long a model may think is not for a recorder to say. */
function withoutTimeouts(server: Server): void {
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.timeout = 0;
  server.keepAliveTimeout = 0;
}
