/**
 * Connections to upstreams: kept alive, as many as there are requests, through the proxy that the environment names where it
 * names one. TLS is Node's own, so `NODE_EXTRA_CA_CERTS` counts; nothing here looks into it.
 */
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect as tlsConnect } from "node:tls";
import type { Target } from "./routes.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface UpstreamAgents {
  /** What `http.request` needs to reach a target, but for method and headers. */
  optionsFor(target: Target): RequestOptions & { readonly secure: boolean };
  close(): void;
}

const KEPT = { keepAlive: true, maxFreeSockets: 256, scheduling: "lifo" } as const;

export function createUpstreamAgents(env: Environment): UpstreamAgents {
  const plain = new HttpAgent(KEPT);
  const secure = new HttpsAgent(KEPT);
  const tunnels = new Map<string, TunnelAgent>();

  function tunnelThrough(proxy: URL): TunnelAgent {
    const known = tunnels.get(proxy.href);
    if (known !== undefined) return known;
    const made = new TunnelAgent(proxy);
    tunnels.set(proxy.href, made);
    return made;
  }

  /** The same for every request to an origin, so it is found out once. */
  const known = new Map<string, (path: string) => ReturnType<UpstreamAgents["optionsFor"]>>();

  function wayTo(origin: URL): (path: string) => ReturnType<UpstreamAgents["optionsFor"]> {
    const proxy = proxyFor(origin, env);
    const direct = { host: bareHost(origin), port: portOf(origin) };
    if (origin.protocol === "https:") {
      const agent = proxy === undefined ? secure : tunnelThrough(proxy);
      const servername = serverName(origin);
      return (path) => ({ ...direct, path, secure: true, agent, servername }) as RequestOptions & { secure: true };
    }
    if (proxy === undefined) return (path) => ({ ...direct, path, secure: false, agent: plain });
    // Plain HTTP is handed to a proxy with its whole address.
    const isSecure = proxy.protocol === "https:";
    const there = { host: bareHost(proxy), port: portOf(proxy), secure: isSecure, agent: isSecure ? secure : plain };
    return (path) => ({ ...there, path: `${origin.origin}${path}` });
  }

  return {
    optionsFor({ origin, path }) {
      const way = known.get(origin.href) ?? wayTo(origin);
      known.set(origin.href, way);
      return way(path);
    },
    close() {
      for (const agent of [plain, secure, ...tunnels.values()]) agent.destroy();
    },
  };
}

/** The proxy of the environment for an address; loopback and whatever NO_PROXY names is reached directly. */
export function proxyFor(origin: URL, env: Environment): URL | undefined {
  const host = bareHost(origin);
  if (isLoopback(host) || isExcepted(host, portOf(origin), env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return undefined;
  const names = origin.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const value = [...names, "all_proxy", "ALL_PROXY"].map((name) => env[name]).find((found) => found);
  if (value === undefined) return undefined;
  try {
    const url = new URL(/^[a-z0-9+.-]+:\/\//i.test(value) ? value : `http://${value}`);
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
  } catch {
    return undefined;
  }
}

/** One TLS connection inside a CONNECT tunnel for each socket. */
class TunnelAgent extends HttpsAgent {
  private readonly proxy: URL;

  constructor(proxy: URL) {
    super(KEPT);
    this.proxy = proxy;
  }

  override createConnection(
    options: RequestOptions & ConnectionOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const address = `${options.host}:${options.port}`;
    const ask = (this.proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      host: bareHost(this.proxy),
      port: portOf(this.proxy),
      method: "CONNECT",
      path: address,
      headers: { host: address, ...authorizationOf(this.proxy) },
      agent: false,
    });
    const fail = (error: Error) => callback?.(error, undefined as unknown as Duplex);
    ask.once("error", fail);
    ask.once("connect", (answer, socket) => {
      if (answer.statusCode === 200)
        return callback?.(null, tlsConnect({ ...options, socket } as unknown as ConnectionOptions));
      socket.destroy();
      fail(
        Object.assign(new Error(`the proxy ${this.proxy.host} answered CONNECT with ${answer.statusCode}`), {
          code: "EPROXY",
        }),
      );
    });
    ask.end();
    return undefined;
  }
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function isExcepted(host: string, port: number, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    const [, name, only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase())!;
    if (only !== undefined && Number(only) !== port) return false;
    return host === name || host.endsWith(`.${name}`);
  });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** Without the brackets of an IPv6 address. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** TLS names hosts; an address has no name to send. */
function serverName(origin: URL): string {
  const host = bareHost(origin);
  return /^[\d.]+$|:/.test(host) ? "" : host;
}
