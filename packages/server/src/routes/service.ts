/** What the routes share for as long as the service runs. */
import { type Authenticator, createAuthenticator } from "../auth/authenticator.ts";
import type { HookTools } from "../hooks/open-hooks.ts";
import { createHeldBodies, type HeldBodies } from "../ingest/held-bodies.ts";
import { LIMITS, type Limits } from "../ingest/limits.ts";
import { createPressure, type Pressure } from "../ingest/pressure.ts";
import { createRate, type Rate } from "../ingest/rate.ts";
import { createTurns } from "../ingest/turns.ts";
import type { Store } from "../store/store.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

export interface ServiceOptions {
  /** The project of requests without a token. */
  readonly projectId: number;
  /** Whether it can be reached from this machine alone. */
  readonly isLoopback: boolean;
  /** Whether a proxy stands before it whose word about clients counts. */
  readonly trustsProxy?: boolean;
  readonly limits?: Partial<Limits>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** What is free of the disk below the store; absent where that is somebody else's machine. */
  readonly freeDisk?: () => Promise<FreeDisk>;
  /** What went wrong inside, a sentence each; never anything of a request. */
  readonly onProblem?: (error: unknown) => void;
  /** Without these nobody elsewhere can be told anything. */
  readonly hooks?: HookTools;
}

export interface FreeDisk {
  readonly free: number;
  readonly total: number;
}

export interface Service {
  readonly store: Store;
  readonly projectId: number;
  readonly isLoopback: boolean;
  readonly trustsProxy: boolean;
  readonly limits: Limits;
  readonly now: () => number;
  readonly onProblem: (error: unknown) => void;
  readonly authenticator: Authenticator;
  readonly hooks: HookTools | undefined;
  readonly held: HeldBodies;
  readonly rate: Rate;
  readonly pressure: Pressure;
  /** Few large bodies are unpacked at once: each may grow to its limit. */
  readonly unpacking: <T>(work: () => Promise<T>) => Promise<T>;
  /** Few recordings are read again at once: what is asked beside is answered between them. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>;
  readonly listeners: Listeners;
  readonly metrics: Metrics;
}

const UNPACKED_AT_ONCE = 4;
const READ_AT_ONCE = 2;
/** More who wait for it are refused. */
const READ_LATER = 64;

export function createService(store: Store, options: ServiceOptions): Service {
  const { projectId, isLoopback, trustsProxy = false, freeDisk, now = Date.now, onProblem = () => undefined } = options;
  const limits = { ...LIMITS, ...options.limits };
  return {
    store,
    projectId,
    isLoopback,
    trustsProxy,
    limits,
    now,
    onProblem,
    hooks: options.hooks,
    authenticator: createAuthenticator(store.tokens, now),
    held: createHeldBodies(limits),
    rate: createRate(limits, now),
    pressure: createPressure(store, { limits, now, freeDisk }),
    unpacking: createTurns(UNPACKED_AT_ONCE),
    reading: createTurns(READ_AT_ONCE, READ_LATER),
    listeners: createListeners(store, limits.listeners),
    metrics: createMetrics(),
  };
}
