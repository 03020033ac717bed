/**
 * The one door to servers of models and agents. Everybody who asks the same server waits in the same line, a request that was sent
 * away for coming too early is sent again when the server said, and an answer that is in the cache is not asked for.
 */
import { httpCall } from "../providers/http-call.ts";
import { ProviderError } from "../providers/provider.ts";
import { type AnswerCache, cacheKey } from "./answer-cache.ts";
import { createPace, type Pace, type Timing } from "./pace.ts";
import type { RunClock } from "./run-clock.ts";
import type { HttpCall, Sent, ServerCall, ServerDoor } from "./server-door.ts";

export interface Visitor {
  /** Which sample this is: the same question of another sample is another question. */
  readonly sample: string;
  readonly clock?: RunClock;
  /** The wait after a refusal that names none. */
  readonly firstPauseMs: number;
  /** A server sent the request away. */
  onRefused(error: ProviderError): void;
}

export interface ModelServers {
  door(visitor: Visitor): ServerDoor;
  readonly cache: AnswerCache | undefined;
}

/** After so many refusals in a row, with nothing that got through between, waiting longer is no use. */
const PATIENCE = 6;

export function createModelServers({ cache, timing = wallTime }: ServersOptions = {}): ModelServers {
  const paces = new Map<string, Pace>();
  const paceOf = (call: ServerCall<unknown>): Pace => {
    const key = `${call.provider} ${originOf(call.url)}`;
    const pace = paces.get(key) ?? createPace(timing);
    paces.set(key, pace);
    if (call.limits !== undefined) pace.limit(call.limits);
    return pace;
  };
  return {
    cache,
    door(visitor) {
      const asked = new Map<string, number>();
      return {
        async send(call) {
          const key = cache === undefined || !call.isCacheable ? undefined : keyOf(call, visitor.sample, asked);
          const known = key === undefined ? undefined : await fromCache(call, key, cache!, visitor.clock);
          if (known !== undefined) return known;
          const { text, answer, latencyMs } = await throughLine(call, paceOf(call), visitor, timing);
          if (key !== undefined) await cache!.write(key, { text, latencyMs });
          const forget = async () => (key === undefined ? undefined : cache!.forget(key));
          return { answer, latencyMs, fromCache: false, forget };
        },
      };
    },
  };
}

export interface ServersOptions {
  readonly cache?: AnswerCache | undefined;
  readonly timing?: Timing;
}

/** For who asks alone: no line, no cache. */
export async function sendDirectly<T>(call: ServerCall<T>): Promise<Sent<T>> {
  const startedAt = performance.now();
  const answer = call.read(await httpCall(call));
  return { answer, latencyMs: performance.now() - startedAt, fromCache: false, forget: async () => undefined };
}

/** The same question twice in one run, as by two judges of one model, is two samples. */
function keyOf(call: HttpCall, sample: string, asked: Map<string, number>): string {
  const plain = cacheKey(call, sample);
  const times = (asked.get(plain) ?? 0) + 1;
  asked.set(plain, times);
  return times === 1 ? plain : cacheKey(call, `${sample}/${times}`);
}

async function fromCache<T>(
  call: ServerCall<T>,
  key: string,
  cache: AnswerCache,
  clock: RunClock | undefined,
): Promise<Sent<T> | undefined> {
  const stored = await cache.read(key);
  if (stored === undefined) return undefined;
  try {
    const answer = call.read(stored.text);
    clock?.add(stored.latencyMs);
    return { answer, latencyMs: stored.latencyMs, fromCache: true, forget: () => cache.forget(key) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    cache.facts.hits--;
    cache.facts.misses++;
    cache.facts.damaged++;
    return undefined;
  }
}

interface Answered<T> {
  readonly text: string;
  readonly answer: T;
  readonly latencyMs: number;
}

async function throughLine<T>(
  call: ServerCall<T>,
  pace: Pace,
  { clock, firstPauseMs, onRefused }: Visitor,
  timing: Timing,
): Promise<Answered<T>> {
  const ticket = pace.ticket(call.tokens ?? 0);
  for (;;) {
    const goOn = clock?.pause();
    const passage = await pace.enter(ticket, call.signal).finally(goOn);
    const sentAt = timing.now();
    try {
      const text = await httpCall(call);
      const answer = call.read(text);
      passage.answered(call.tokensOf?.(answer));
      return { text, answer, latencyMs: timing.now() - sentAt };
    } catch (error) {
      if (!(error instanceof ProviderError) || !isRefusal(error)) {
        passage.failed();
        throw error;
      }
      passage.refused(error.retryAfterMs, firstPauseMs);
      if (pace.refusals >= PATIENCE) {
        const out = new ProviderError("unreachable", `${error.message} (${pace.refusals} refusals in a row)`, {
          cause: error,
        });
        pace.giveUp(out);
        throw out;
      }
      onRefused(error);
    }
  }
}

/** Sent away for now: too many requests, or a server that is busy and says until when. */
function isRefusal({ kind, retryAfterMs }: ProviderError): boolean {
  return kind === "rate-limit" || (kind === "unavailable" && retryAfterMs !== undefined);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** What Node can wait for in one go; who wakes up too early looks at the clock and waits on. */
const LONGEST_TIMER = 2 ** 31 - 1;

const wallTime: Timing = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};
