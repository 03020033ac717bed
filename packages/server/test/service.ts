/** The service over a real store and real HTTP on 127.0.0.1, with a clock that only moves when a test says so. */
import type { IncomingMessage, Server } from "node:http";
import { request as httpRequest, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { onTestFinished } from "vitest";
import type { HookTools } from "../src/hooks/open-hooks.ts";
import type { Limits } from "../src/ingest/limits.ts";
import { type App, createApp } from "../src/routes/create-app.ts";
import { makeToken } from "../src/routes/tokens.ts";
import { evaluateWaiting } from "../src/stages/evaluator.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Scope, Store } from "../src/store/store.ts";

export interface TestService {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  readonly app: App;
  readonly projectId: number;
  readonly problems: unknown[];
  clock: number;
  /** Sends and reads all of the answer. */
  ask(method: string, path: string, options?: AskOptions): Promise<TestAnswer>;
  token(scopes: readonly Scope[], options?: { project?: string; expiresAt?: number }): Promise<string>;
  /** Everything that waits is evaluated. */
  evaluate(): Promise<void>;
}

export interface AskOptions {
  readonly token?: string;
  readonly body?: string | Uint8Array;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined when it is not JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface TestServiceOptions {
  readonly url?: string;
  readonly limits?: Partial<Limits>;
  readonly isLoopback?: boolean;
  readonly trustsProxy?: boolean;
  readonly freeDisk?: () => Promise<{ free: number; total: number }>;
  readonly store?: (store: Store) => Store;
  /** Who ends it; unless said, the test that started it. */
  readonly atEnd?: (end: () => Promise<void>) => void;
  readonly hooks?: HookTools;
  readonly serverOptions?: { headersTimeout: number; requestTimeout: number; connectionsCheckingInterval: number };
}

export const NOW = Date.UTC(2026, 10, 16, 12);

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  let running: TestService | undefined;
  const opened = await openStore(options.url ?? ":memory:", { now: () => running?.clock ?? NOW });
  const store = options.store?.(opened) ?? opened;
  const problems: unknown[] = [];
  const { id: projectId } = await opened.projects.ensure("default");
  const { limits, freeDisk, hooks, isLoopback = true, trustsProxy = false } = options;
  const app = createApp(store, {
    projectId,
    isLoopback,
    trustsProxy,
    now: () => service.clock,
    onProblem: (error) => problems.push(error),
    ...(limits === undefined ? {} : { limits }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(freeDisk === undefined ? {} : { freeDisk }),
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    // As long as the service keeps one: a busy machine may let more than the default of 5 s pass between two requests.
    serverOptions: { keepAliveTimeout: 65_000, ...options.serverOptions },
  }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { atEnd = onTestFinished } = options;
  atEnd(async () => {
    app.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await opened.close();
  });
  const service: TestService = {
    url: `http://127.0.0.1:${port}`,
    port,
    store: opened,
    app,
    projectId,
    problems,
    clock: NOW,
    ask: (method, path, asked = {}) => ask({ port, host: "127.0.0.1", method, path }, asked),
    async token(scopes, { project, expiresAt } = {}) {
      const owner = project === undefined ? projectId : (await opened.projects.ensure(project)).id;
      return (await makeToken(opened, owner, { name: "test", scopes, expiresAt, now: service.clock })).token;
    },
    async evaluate() {
      while ((await evaluateWaiting(opened, { now: () => new Date(service.clock) })) > 0);
    },
  };
  running = service;
  return service;
}

function ask(where: RequestOptions, { token, body, json, headers }: AskOptions): Promise<TestAnswer> {
  const content = json === undefined ? body : JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { ...where, headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          resolve({ status: response.statusCode!, headers: response.headers, bytes, text, json: jsonOf(text) });
        });
      },
    );
    request.on("error", reject);
    request.end(content);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A small run of an agent, told apart by what it says. */
export function recording(said = "hello", tool = "issue_refund"): string {
  return JSON.stringify({
    messages: [
      { role: "user", content: "refund order A-1" },
      {
        role: "assistant",
        tool_calls: [{ id: "1", type: "function", function: { name: tool, arguments: '{"amount":9}' } }],
      },
      { role: "tool", tool_call_id: "1", content: "done" },
      { role: "assistant", content: said },
    ],
  });
}
