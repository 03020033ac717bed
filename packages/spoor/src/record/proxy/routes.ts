/**
 * Which upstream a path of the proxy leads to: `/t/<token>/openai/v1/…`, `/t/<token>/upstream/<name>/…`. The token is the
 * proxy's only key: whoever does not have it gets the same 404 for everything, and nothing is forwarded.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";

export interface Upstream {
  readonly base: URL;
  /** A provider's own address: what its clients append is known, and put right where they disagree. */
  readonly provider?: "openai" | "anthropic" | "google";
}

/** By route: `openai`, `upstream/azure`. */
export type Upstreams = ReadonlyMap<string, Upstream>;

export interface Route {
  /** `openai`, `upstream/azure`, or the first segment of a path that has no upstream. */
  readonly name: string;
  /** Path and query after the route. */
  readonly rest: string;
}

export function createToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Gives the path after the token; nothing when the token is wrong or missing. */
export function createTokenCheck(token: string): (url: string) => string | undefined {
  const expected = Buffer.from(token);
  return (url) => {
    const [, given, rest] = /^\/t\/([^/?#]*)(.*)$/s.exec(url) ?? [];
    const guess = Buffer.from(given ?? "");
    // The length is no secret; how much of a guess is right must not show in the time it takes.
    const isRight = timingSafeEqual(guess.length === expected.length ? guess : Buffer.alloc(expected.length), expected);
    return given !== undefined && isRight ? rest : undefined;
  };
}

export function routeOf(path: string): Route | undefined {
  const found = /^\/(upstream\/[^/?#]+|[^/?#]+)([/?].*)?$/s.exec(path);
  return found === null ? undefined : { name: found[1]!, rest: found[2] ?? "" };
}

/** Where a request goes: the path is kept as it was written, never parsed and spelled anew. */
export interface Target {
  readonly origin: URL;
  readonly path: string;
}

/** The upstream's own path first, then what the client appended. */
export function targetOf({ base, provider }: Upstream, rest: string): Target {
  const appended = provider === "anthropic" ? withOneVersion(rest) : rest;
  const path = `${base.pathname.replace(/\/+$/, "")}${appended}`;
  return { origin: base, path: path.startsWith("/") ? path : `/${path}` };
}

/** One variable, two meanings: some clients expect the version in `ANTHROPIC_BASE_URL`, others append it themselves. */
function withOneVersion(rest: string): string {
  return rest.replace(/^(\/v1)*\/(messages|complete|models|files|batches)(?=[/?]|$)/, "/v1/$2");
}
