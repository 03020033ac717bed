/**
 * Takes what is to be told from the outbox and tells it, in any number of processes: at least once, under a key that stays the same. What is not heard
 * is told again later and later, and given up after some days; then it is shown.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { DAY_MS } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { workWhenRung } from "../store/work-when-rung.ts";
import { hookBody, signatureOf } from "./hook-body.ts";
import type { HookTools } from "./open-hooks.ts";
import { noKey } from "./seal.ts";
import { sendHook } from "./send-hook.ts";

export interface CourierOptions extends HookTools {
  readonly now?: () => number;
  /** Between 0 and 1, for the spread of retries. */
  readonly random?: () => number;
  readonly onError?: (error: unknown) => void;
}

export interface Courier {
  /** Ends after the letters at hand. */
  stop(): Promise<void>;
}

const AT_ONCE = 20;
/** Longer than a request may take: a process that died leaves its letters for this long. */
const CLAIM_MS = 60_000;
const MINUTE_MS = 60_000;
/** One minute, two, four … a day: some three days in all. */
const MOST_ATTEMPTS = 13;

/** A letter that is written while others are brought is brought next. */
export function startCourier(store: Store, options: CourierOptions): Courier {
  const { onError } = options;
  return workWhenRung({ bell: store.bell, topic: "events", round: () => deliverDue(store, options), onError });
}

/** One round; how many letters were tried. */
export async function deliverDue(store: Store, options: CourierOptions): Promise<number> {
  const { now = Date.now } = options;
  const letters = await store.hooks.claim(AT_ONCE, now(), now() + CLAIM_MS);
  await Promise.all(letters.map((letter) => deliver(store, letter, options)));
  return letters.length;
}

type Claimed = Awaited<ReturnType<Store["hooks"]["claim"]>>[number];

async function deliver(store: Store, letter: Claimed, options: CourierOptions): Promise<void> {
  const { now = Date.now, random = Math.random } = options;
  const problem = await send(letter, options, now());
  if (problem === undefined) return store.hooks.delivered(letter.id, now());
  const at = now();
  const nextAt = letter.attempts >= MOST_ATTEMPTS ? undefined : at + waitAfter(letter.attempts, random());
  await store.hooks.failed(letter.id, problem, { at, ...(nextAt === undefined ? {} : { nextAt }) });
}

/** Spread by a quarter either way, so that what failed together does not come back together. */
export function waitAfter(attempts: number, random: number): number {
  const wait = Math.min(DAY_MS, MINUTE_MS * 2 ** (attempts - 1));
  return Math.round(wait * (0.75 + random / 2));
}

/** Why it was not heard; undefined when it was. */
async function send(
  { hook, secret, key, event, body }: Claimed,
  options: CourierOptions,
  now: number,
): Promise<string | undefined> {
  try {
    const sealer = await options.sealer();
    if (sealer === undefined) throw noKey("There is no key to open the secret of the webhook with.");
    const address = await options.guard.resolve(hook.url);
    const text = hookBody({ key, body }, hook);
    const timestamp = String(Math.floor(now / 1000));
    const signature = signatureOf(sealer.open(secret), timestamp, text);
    const status = await sendHook(address, { key, event, body: text, timestamp, signature });
    if (status >= 200 && status < 300) return undefined;
    return status >= 300 && status < 400
      ? `It answered ${status}; redirects are not followed.`
      : `It answered ${status}.`;
  } catch (error) {
    if (error instanceof SpoorError) return error.message;
    const { code, name, message } = error as NodeJS.ErrnoException;
    return name === "TimeoutError" || name === "AbortError"
      ? "It did not answer in time."
      : `It cannot be reached: ${code ?? message}.`;
  }
}
