/** Who asks: the token of a request → the project it belongs to and what it opens, or why it is refused. */
import { timingSafeEqual } from "node:crypto";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Scope, Token, Tokens } from "../store/store.ts";
import { hashToken, isToken, prefixOf } from "./token.ts";

/** What a request may do, and to whose things. */
export interface Caller {
  readonly projectId: number;
  readonly scopes: readonly Scope[];
  /** Absent for this machine's own requests, as long as there is no token at all. */
  readonly tokenId?: number;
}

export interface Authenticator {
  /** The token itself; throws `auth.token`. */
  byToken(token: string): Promise<Token & { readonly hash: Uint8Array }>;
  /** The token that begins so, whose owner was let in before; throws `auth.token`. */
  byPrefix(prefix: string, isMeant: (hash: Uint8Array) => boolean): Promise<Token>;
  /** Whether there is any token at all. Looked up again until there is one: then for good, as one that is revoked stays known. */
  any(): Promise<boolean>;
  /** Forgets what it remembers: a token was made or revoked. */
  forget(): void;
}

/** So long a token that was revoked elsewhere may still be let in. */
export const REMEMBERED_MS = 30_000;
const MOST_REMEMBERED = 10_000;
/** When a token was last used is for people: a write for every request would be dear. */
const NOTED_EVERY_MS = 60_000;

type KnownToken = Token & { readonly hash: Uint8Array };

export function createAuthenticator(tokens: Tokens, now: () => number): Authenticator {
  const remembered = new Map<string, { readonly token: KnownToken; readonly until: number }>();
  const noted = new Map<number, number>();
  let isAny = false;

  return {
    async byToken(given) {
      if (!isToken(given)) throw refused("This is no token of Spoor's, or it was mistyped.");
      const hash = hashToken(given);
      const found = await known(prefixOf(given), (other) => timingSafeEqual(hash, other));
      return letIn(found);
    },
    byPrefix: async (prefix, isMeant) => letIn(await known(prefix, isMeant)),
    async any() {
      isAny ||= await tokens.any();
      return isAny;
    },
    forget() {
      remembered.clear();
    },
  };

  async function known(prefix: string, isMeant: (hash: Uint8Array) => boolean): Promise<KnownToken> {
    // By prefix, not by the token: what is remembered must open nothing to whoever reads this memory.
    const before = remembered.get(prefix);
    if (before !== undefined && before.until > now() && isMeant(before.token.hash)) return before.token;
    const token = (await tokens.withPrefix(prefix)).find((one) => isMeant(one.hash));
    if (token === undefined) throw refused("Nobody knows this token.");
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(prefix, { token, until: now() + REMEMBERED_MS });
    return token;
  }

  function letIn(token: KnownToken): KnownToken {
    const { id, revokedAt, expiresAt } = token;
    if (revokedAt !== undefined) throw refused("This token was revoked.");
    if (expiresAt !== undefined && expiresAt <= now()) throw refused("This token has expired.");
    if ((noted.get(id) ?? Number.NEGATIVE_INFINITY) + NOTED_EVERY_MS <= now()) {
      noted.set(id, now());
      // Nobody waits for it, and a store that cannot be written to says so elsewhere.
      tokens.used(id, now()).catch(() => undefined);
    }
    return token;
  }
}

export function refused(message: string): SpoorError {
  return new SpoorError("auth.token", message, {
    hint: "Send one as Authorization: Bearer spoor_…; spoor serve --new-token makes one.",
  });
}

/** Scopes are separate: whoever may administer may not read for that alone. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new SpoorError("auth.scope", `This needs a token with the scope ${scope}; this one has ${words(caller)}.`, {
    hint: `Make one: spoor serve --new-token ${scope}`,
  });
}

function words({ scopes }: Caller): string {
  return scopes.length === 0 ? "none" : scopes.join(" and ");
}
