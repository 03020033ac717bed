/**
 * Requests without a token are for this machine alone: the service listens on a loopback address, and the request calls it by a loopback name. The
 * second is against pages whose own name was pointed at 127.0.0.1 (DNS rebinding): the browser still sends the page's name as Host.
 */
import { isIPv4 } from "node:net";
import { SpoorError } from "@spoor/core/internal/errors";

/** An address to listen on, or the name part of a Host header. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "localhost" || name === "::1") return true;
  return isIPv4(name) && name.startsWith("127.");
}

/** Without its port. Undefined when it is not a host at all. */
export function hostName(header: string | undefined): string | undefined {
  return /^(\[[0-9a-fA-F:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/.exec(header ?? "")?.[1];
}

/** A proxy on this machine may call it 127.0.0.1 for clients that are anywhere: whoever came through one may be from elsewhere. */
export function requireOwnMachine(hostHeader: string | undefined, isFromElsewhere = false): void {
  const name = hostName(hostHeader);
  if (name !== undefined && isLoopback(name) && !isFromElsewhere) return;
  throw new SpoorError("auth.host", "Without a token this service answers this machine alone.", {
    hint: "Call it 127.0.0.1 or localhost, or send a token: spoor serve --new-token makes one.",
  });
}

/**
 * What a browser sends for a page of somebody else is refused: such a page can make requests, but it cannot change its Origin. Programs that are no
 * browsers send none.
 */
export function requireOwnPage(headers: PageHeaders, mustBeBrowser: boolean): void {
  const { origin, host, marked, site } = headers;
  if (origin === undefined && !mustBeBrowser && (site === undefined || site === "same-origin" || site === "none"))
    return;
  const isOwn = origin !== undefined && host !== undefined && originHost(origin) === host.toLowerCase();
  if (isOwn && marked) return;
  throw new SpoorError("auth.origin", "A page may write only to the service it came from, and says so.", {
    hint: "Send the service's own Origin and the header X-Spoor: 1.",
  });
}

export interface PageHeaders {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** Whether `X-Spoor: 1` came along: a page elsewhere would have to ask for leave first, and gets none. */
  readonly marked: boolean;
}

function originHost(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
