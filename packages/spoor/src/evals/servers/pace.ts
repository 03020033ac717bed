/**
 * How fast a server is asked, by everybody who asks it: no faster than `rpm` and `tpm` say, nobody before the time that a refusal
 * named, and no more requests at once than it takes without refusing. That number is found out: a refusal halves it, every round of
 * answers adds one. Time is an argument.
 */
import { createTokenLog } from "./token-log.ts";

export interface Limits {
  /** Requests per minute, spread evenly. */
  readonly rpm?: number | undefined;
  /** Tokens per minute, in and out. */
  readonly tpm?: number | undefined;
}

export interface Timing {
  now(): number;
  /** Calls back later; the answer calls it off. */
  after(ms: number, callback: () => void): () => void;
}

export interface Pace {
  /** The strictest of what was said holds. */
  limit(limits: Limits): void;
  /** Resolves when the request may go; earlier tickets first. */
  enter(ticket: Ticket, signal: AbortSignal): Promise<Passage>;
  ticket(tokens: number): Ticket;
  /** Everybody who waits is sent away with this. */
  giveUp(error: Error): void;
  /** How often in a row it refused, with nothing that got through between. */
  readonly refusals: number;
  /** The most requests at once, once that was found out. */
  readonly atOnce: number;
}

export interface Ticket {
  readonly number: number;
  readonly tokens: number;
}

export interface Passage {
  /** It was answered, with so many tokens where they are known. */
  answered(tokens: number | undefined): void;
  /** It was sent away: nobody is let in before `waitMs` are over. */
  refused(waitMs: number | undefined, firstPauseMs: number): void;
  /** It ended in any other way. */
  failed(): void;
}

interface Waiting extends Ticket {
  admit(): void;
  reject(error: Error): void;
}

const MINUTE = 60_000;
const LONGEST_PAUSE = 60_000;

export function createPace(timing: Timing): Pace {
  const log = createTokenLog(timing);
  const queue: Waiting[] = [];
  let gap = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  let closedUntil = Number.NEGATIVE_INFINITY;
  let atOnce = Number.POSITIVE_INFINITY;
  let inside = 0;
  let issued = 0;
  let refusals = 0;
  /** Refusals of one burst are one: only what was sent after the last cut says that the cut was not deep enough. */
  let period = 0;
  let callOff: (() => void) | undefined;

  return {
    get refusals() {
      return refusals;
    },
    get atOnce() {
      return atOnce;
    },
    limit({ rpm, tpm }) {
      if (rpm !== undefined) gap = Math.max(gap, MINUTE / rpm);
      if (tpm !== undefined) log.limit(tpm);
    },
    ticket: (tokens) => ({ number: ++issued, tokens }),
    enter: (ticket, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal.reason as Error);
          admitAll();
        };
        const waiting: Waiting = {
          ...ticket,
          admit() {
            signal.removeEventListener("abort", leave);
            resolve(passage(ticket));
          },
          reject(error) {
            signal.removeEventListener("abort", leave);
            reject(error);
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        const place = queue.findIndex(({ number }) => number > ticket.number);
        queue.splice(place < 0 ? queue.length : place, 0, waiting);
        admitAll();
      }),
    giveUp(error) {
      for (const waiting of queue.splice(0)) waiting.reject(error);
    },
  };

  function admitAll(): void {
    callOff?.();
    callOff = undefined;
    while (queue.length > 0 && inside < Math.max(1, Math.floor(atOnce))) {
      const now = timing.now();
      const opens = Math.max(closedUntil, nextAt, log.roomAt(queue[0]!.tokens));
      if (opens > now) {
        callOff = timing.after(opens - now, admitAll);
        return;
      }
      inside++;
      nextAt = now + gap;
      queue.shift()!.admit();
    }
  }

  function passage({ tokens }: Ticket): Passage {
    const entry = log.add(tokens);
    const sentIn = period;
    let open = true;
    const leave = (before: () => void) => {
      if (!open) return;
      open = false;
      before();
      inside--;
      admitAll();
    };
    return {
      answered: (used) =>
        leave(() => {
          entry.correct(used ?? tokens);
          refusals = 0;
          atOnce += 1 / atOnce;
        }),
      refused: (waitMs, firstPauseMs) =>
        leave(() => {
          entry.correct(0);
          if (sentIn === period) {
            period++;
            refusals++;
            atOnce = Math.max(1, Math.floor(Math.min(atOnce, inside) / 2));
          } else if (waitMs === undefined) return;
          const longest = Math.max(LONGEST_PAUSE, waitMs ?? 0);
          const pause = Math.min((waitMs ?? firstPauseMs) * 2 ** Math.max(0, refusals - 1), longest);
          closedUntil = Math.max(closedUntil, timing.now() + pause);
        }),
      failed: () => leave(() => entry.correct(0)),
    };
  }
}
