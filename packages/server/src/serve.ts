/** The service as one process: store, routes and the work on what arrives, from the first request to the last answer. */
import { once } from "node:events";
import { statfs } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { SpoorError } from "@spoor/core/internal/errors";
import { makeFolder } from "spoor/internal/load/make-folder";
import { isLoopback } from "./auth/own-machine.ts";
import { openHooks } from "./hooks/open-hooks.ts";
import type { Limits } from "./ingest/limits.ts";
import { type App, createApp } from "./routes/create-app.ts";
import { makeToken } from "./routes/tokens.ts";
import { startWorkBeside } from "./start-thread.ts";
import { storeError } from "./store/engine/store-error.ts";
import { openStore, requireAddress } from "./store/open-store.ts";
import type { Scope, Store } from "./store/store.ts";
import type { RunningWorker } from "./work.ts";

export interface ServeOptions {
  /** A file, or `postgres://…`. */
  readonly store: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The project of requests without a token. */
  readonly project: string;
  /** A second port, at which exporters of OpenTelemetry are heard and nobody else; 0: any that is free. */
  readonly otlpPort?: number;
  /** A proxy stands before it: what it says of clients counts. */
  readonly trustProxy?: boolean;
  readonly limits?: Partial<Limits>;
  /** What went wrong, for the operator's eyes. */
  readonly onProblem?: (error: unknown) => void;
}

export interface RunningService {
  readonly url: string;
  /** Where exporters send to, when that is a port of its own. */
  readonly otlpUrl?: string;
  /** Takes nothing more, answers what it has, and lets go of the store. */
  stop(): Promise<void>;
}

export async function serve(options: ServeOptions): Promise<RunningService> {
  const { host, port, onProblem = () => undefined } = options;
  const store = await openFor(options.store);
  const servers: Server[] = [];
  const open = async (app: Pick<App, "fetch" | "service">, at: number, option: string) => {
    const server = createHttpServer(app);
    servers.push(server);
    await listen(server, host, at, option);
    const { port: bound } = server.address() as AddressInfo;
    return `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
  };
  try {
    const { id: projectId } = await store.projects.ensure(options.project);
    if (!isLoopback(host) && !(await store.tokens.any())) throw publicWithoutToken(host);
    const hooks = openHooks(options.store, process.env);
    const app = createApp(store, {
      projectId,
      hooks,
      isLoopback: isLoopback(host),
      onProblem,
      ...(options.trustProxy === undefined ? {} : { trustsProxy: options.trustProxy }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(isFile(options.store) ? { freeDisk: () => freeDisk(dirname(options.store)) } : {}),
    });
    const url = await open(app, port, "--port 4320");
    const otlpUrl =
      options.otlpPort === undefined ? undefined : await open(exportersOnly(app), options.otlpPort, "--otlp=4320");
    const working = startWorkBeside(options.store, store, onProblem, hooks);
    let stopping: Promise<void> | undefined;
    return {
      url,
      ...(otlpUrl === undefined ? {} : { otlpUrl }),
      stop() {
        stopping ??= stopAll(servers, app, working, store);
        return stopping;
      },
    };
  } catch (error) {
    for (const server of servers) server.close();
    await store.close();
    throw error;
  }
}

/** A port that is opened for exporters opens nothing else. */
function exportersOnly({ fetch, service }: App): Pick<App, "fetch" | "service"> {
  const only: App["fetch"] = (request, ...rest) => {
    const { pathname } = new URL(request.url);
    if (/^\/v1\/(traces|logs|metrics)$/.test(pathname)) return fetch(request, ...rest);
    return new Response(null, { status: 404, headers: { connection: "close" } });
  };
  return { fetch: only, service };
}

export interface NewTokenOptions {
  readonly store: string;
  readonly project: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** A token for a service that is not running, or that runs over a store for many. It is shown once. */
export async function newToken({ store: url, project, name, scopes }: NewTokenOptions): Promise<string> {
  const store = await openFor(url);
  try {
    const { id } = await store.projects.ensure(project);
    return (await makeToken(store, id, { name, scopes, now: Date.now() })).token;
  } finally {
    await store.close();
  }
}

async function openFor(url: string): Promise<Store> {
  requireAddress(url);
  try {
    if (isFile(url)) await makeFolder(dirname(url), { mode: 0o700 });
  } catch (error) {
    throw storeError(error);
  }
  return openStore(url);
}

function isFile(url: string): boolean {
  return !/^postgres(ql)?:/.test(url) && url !== ":memory:";
}

/** Ends what is half sent after a while. */
export function createHttpServer(app: Pick<App, "fetch" | "service">): Server {
  const { limits } = app.service;
  return createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: limits.headMs,
      requestTimeout: limits.bodyMs,
      // How often the two are looked at.
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.headMs / 4)),
      keepAliveTimeout: 65_000,
    },
  }) as Server;
}

async function listen(server: Server, host: string, port: number, option: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAddress = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code ?? "");
    const why =
      code === "EADDRINUSE"
        ? "something else listens there already"
        : isAddress
          ? "this machine has no such address"
          : `the system says ${code}`;
    throw new SpoorError("server.port", `The service cannot listen at ${host}, port ${port}: ${why}.`, {
      hint: isAddress ? "Name one that it has: spoor serve --host 0.0.0.0" : `Name another port: spoor serve ${option}`,
      cause: error,
    });
  }
}

function publicWithoutToken(host: string): SpoorError {
  return new SpoorError("server.public", `Anybody who reaches ${host} could read and write: there is no token yet.`, {
    consequence: "The service was not started.",
    hint: "Make one first: spoor serve --new-token admin",
  });
}

/** So long a client may take for the rest of a request that it began. */
const GRACE_MS = 5_000;

/** Whoever was let in is answered; idle connections, which clients keep for later, are closed. */
async function stopAll(servers: readonly Server[], app: App, working: RunningWorker, store: Store): Promise<void> {
  app.close();
  await Promise.all(servers.map(closeServer));
  await working.stop();
  await store.close();
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(grace);
}

async function freeDisk(folder: string): Promise<{ readonly free: number; readonly total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
