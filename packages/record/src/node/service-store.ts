/**
 * Sessions at a Spoor service, for processes on any number of machines: a step takes its session there, judges, and keeps what it remembers then, while
 * nobody else has it. A call is judged before it runs, so the thread waits; a second thread speaks to the service meanwhile. Whatever goes wrong, nothing
 * is let through. A process that is killed with a session in its hand holds up the others for ten seconds at most.
 */
import { randomBytes } from "node:crypto";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { SessionStore } from "../store/session-store.ts";
import { createWaitingCaller, type WaitingCaller } from "./waiting-caller.ts";

export interface ServiceStoreOptions {
  /** Where the service answers; SPOOR_SERVER unless told otherwise. */
  readonly url?: string;
  /** With the scope `ingest`; SPOOR_TOKEN unless told otherwise. A service of this machine that has no tokens needs none. */
  readonly token?: string;
  /** How long to wait for the service and for other processes; 15 seconds unless told otherwise. The event loop waits too. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;
/** An answer on its way is waited for so long, even when the time is over. */
const LEAST_WAIT_MS = 1_000;
/** The service is busy, away or starting again: soon that is over. */
const PASSING = new Set([0, 429, 502, 503, 504]);

export function createServiceStore(options: ServiceStoreOptions = {}): SessionStore {
  const url = options.url ?? process.env["SPOOR_SERVER"];
  if (!url || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw storeError(
      url ? `${url} is no address of a service` : "no service is named",
      'Name it: createServiceStore({ url: "http://127.0.0.1:4319" }), or set SPOOR_SERVER.',
    );
  const token = options.token ?? process.env["SPOOR_TOKEN"];
  const service: Service = {
    url,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    caller: createWaitingCaller(),
  };
  return {
    update(id, change) {
      const step: Step = { session: digestText(id), lock: randomBytes(16).toString("hex") };
      const found = take(service, step);
      let changed: ReturnType<typeof change>;
      try {
        changed = change(found);
      } catch (error) {
        release(service, step);
        throw error;
      }
      if (changed.saved === found) release(service, step);
      else keep(service, step, changed.saved ?? "");
      return changed.result;
    },
  };
}

interface Service {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly caller: WaitingCaller;
}

interface Step {
  readonly session: string;
  readonly lock: string;
}

type Answered = Readonly<Record<string, unknown>>;

function take(service: Service, step: Step): string | undefined {
  const { held, saved } = ask(service, "take", step);
  if (held === true) throw storeError("another process has it and does not let go of it");
  return typeof saved === "string" ? saved : undefined;
}

function keep(service: Service, step: Step, saved: string): void {
  if (ask(service, "keep", step, saved)["kept"] !== true)
    throw storeError("it took too long, and another process has gone on with it");
}

/** Nothing was changed: if this is not heard, the session is free again in ten seconds. */
function release(service: Service, step: Step): void {
  try {
    ask({ ...service, timeoutMs: 0 }, "release", step);
  } catch {}
}

/** Asked until it is settled or the time is over. The same question twice is one: its lock says so. */
function ask(
  { url, headers, timeoutMs, caller }: Service,
  what: "take" | "keep" | "release",
  { session, lock }: Step,
  body = "",
): Answered {
  const base = url.endsWith("/") ? url : `${url}/`;
  const address = new URL(`api/v1/guard/${what}?session=${session}&lock=${lock}`, base).href;
  const until = performance.now() + timeoutMs;
  for (;;) {
    const left = Math.max(until - performance.now(), LEAST_WAIT_MS);
    const { status, text, problem } = caller.post(address, headers, body, left);
    const answer = jsonOf(text);
    const isOver = performance.now() >= until;
    if (status === 200 && answer !== undefined && (isOver || answer["held"] !== true)) return answer;
    if (status !== 200 && !PASSING.has(status)) throw refusedBy(url, status, answer);
    if (isOver)
      throw storeError(
        `the service at ${url} does not answer (${problem ?? `status ${status}`})`,
        "Start it with spoor serve, or name the right address in SPOOR_SERVER.",
      );
    caller.pause(5 + Math.random() * 20);
  }
}

function jsonOf(text: string): Answered | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Answered) : undefined;
  } catch {
    return undefined;
  }
}

/** In the service's own words. */
function refusedBy(url: string, status: number, answer: Answered | undefined): SpoorError {
  const error = answer?.["error"] as { readonly message?: unknown; readonly hint?: unknown } | undefined;
  const why =
    typeof error?.message === "string" ? error.message.replace(/\.$/, "") : `it answers with status ${status}`;
  const hint =
    typeof error?.hint === "string" ? error.hint : "Is it a service of Spoor, and no older than this package?";
  return storeError(`the service at ${url} refuses: ${why}`, hint);
}

function storeError(what: string, hint?: string): SpoorError {
  return new SpoorError("guard.store", `The session cannot be kept: ${what}.`, {
    ...(hint === undefined ? {} : { hint }),
    consequence: "Nothing is let through.",
  });
}
