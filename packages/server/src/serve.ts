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
import type { Limits } from "./ingest/limits.ts";
import { type App, createApp } from "./routes/create-app.ts";
import { makeToken } from "./routes/tokens.ts";
import { startWorkBeside } from "./start-thread.ts";
import { openStore } from "./store/open-store.ts";
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
  readonly limits?: Partial<Limits>;
  /** What went wrong, for the operator's eyes. */
  readonly onProblem?: (error: unknown) => void;
}

export interface RunningService {
  readonly url: string;
  /** Takes nothing more, answers what it has, and lets go of the store. */
  stop(): Promise<void>;
}

export async function serve(options: ServeOptions): Promise<RunningService> {
  const { host, port, onProblem = () => undefined } = options;
  const store = await openFor(options.store);
  let server: Server | undefined;
  try {
    const { id: projectId } = await store.projects.ensure(options.project);
    if (!isLoopback(host) && !(await store.tokens.any())) throw publicWithoutToken(host);
    const app = createApp(store, {
      projectId,
      isLoopback: isLoopback(host),
      onProblem,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(isFile(options.store) ? { freeDisk: () => freeDisk(dirname(options.store)) } : {}),
    });
    server = createHttpServer(app);
    await listen(server, host, port);
    const working = startWorkBeside(options.store, store, onProblem);
    const { port: bound } = server.address() as AddressInfo;
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
    const running = server;
    let stopping: Promise<void> | undefined;
    return {
      url,
      stop() {
        stopping ??= stopAll(running, app, working, store);
        return stopping;
      },
    };
  } catch (error) {
    server?.close();
    await store.close();
    throw error;
  }
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
  if (isFile(url)) await makeFolder(dirname(url), { mode: 0o700 });
  return openStore(url);
}

function isFile(url: string): boolean {
  return !/^postgres(ql)?:/.test(url) && url !== ":memory:";
}

/** Ends what is half sent after a while. */
export function createHttpServer(app: App): Server {
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

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "something else listens there already" : `the system says ${code}`;
    throw new SpoorError("server.port", `The service cannot listen at ${host}, port ${port}: ${why}.`, {
      hint: "Name another port: spoor serve --port 4320",
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
async function stopAll(server: Server, app: App, working: RunningWorker, store: Store): Promise<void> {
  const closed = once(server, "close");
  app.close();
  server.close();
  server.closeIdleConnections();
  const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(grace);
  await working.stop();
  await store.close();
}

async function freeDisk(folder: string): Promise<{ readonly free: number; readonly total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
