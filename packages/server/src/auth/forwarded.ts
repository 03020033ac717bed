/**
 * A proxy before the service stands between it and who asks: the connection, and often the Host header, are the proxy's. What it says of the client
 * (`X-Forwarded-For`, `X-Forwarded-Host`) anybody could say, so it is believed only where the operator says that a proxy is there and sets it.
 */
import type { IncomingHttpHeaders } from "node:http";
import { hostName, isLoopback } from "./own-machine.ts";

export interface Forwarded {
  /** The name by which the client called the service. */
  readonly host: string | undefined;
  /** Whether the request may come from another machine, as far as its head tells. */
  readonly isFromElsewhere: boolean;
}

export function forwardedBy(headers: IncomingHttpHeaders, trustsProxy: boolean): Forwarded {
  const said = [headers["x-forwarded-for"]].flat().join(",");
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined;
  if (!trustsProxy) return { host: headers.host, isFromElsewhere: isForwarded };
  // The last is what the proxy itself saw; those before it are what it was told.
  const client = hostName(said.split(",").at(-1)?.trim()) ?? said.split(",").at(-1)!.trim();
  const host = [headers["x-forwarded-host"]].flat().at(-1)?.split(",").at(-1)?.trim();
  return { host: host || headers.host, isFromElsewhere: isForwarded && !isLoopback(client) };
}
