/** Who asks, and whether they may: before anything of a request but its head was looked at. */
import type { IncomingMessage } from "node:http";
import { type Caller, refused, requireScope } from "../auth/authenticator.ts";
import { forwardedBy } from "../auth/forwarded.ts";
import { requireOwnMachine, requireOwnPage } from "../auth/own-machine.ts";
import { parseSession, sessionOf } from "../auth/session.ts";
import { scopes } from "../store/tokens.ts";
import type { Route } from "./route.ts";
import type { Service } from "./service.ts";

/** Nobody: for what anybody may ask. */
const NOBODY: Caller = { projectId: -1, scopes: [] };

export async function admit(request: IncomingMessage, route: Route, service: Service): Promise<Caller> {
  if (route.scope === undefined) return NOBODY;
  if (route.programsOnly && request.headers.origin !== undefined) requireOwnPage(pageHeaders(request, service), true);
  const caller = await callerOf(request, route, service);
  requireScope(caller, route.scope);
  return caller;
}

async function callerOf(request: IncomingMessage, route: Route, service: Service): Promise<Caller> {
  const { authenticator, now, projectId, trustsProxy } = service;
  const isWrite = route.method !== "GET";
  const bearer = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (bearer !== undefined) {
    const token = await authenticator.byToken(bearer);
    return { projectId: token.projectId, scopes: token.scopes, tokenId: token.id };
  }
  if (request.headers.authorization !== undefined) throw refused("Only Authorization: Bearer is understood.");
  const session = route.programsOnly ? undefined : parseSession(sessionOf(request.headers.cookie) ?? "", now());
  if (session !== undefined) {
    if (isWrite) requireOwnPage(pageHeaders(request, service), true);
    const token = await authenticator.byPrefix(session.prefix, session.isSignedWith);
    return { projectId: token.projectId, scopes: token.scopes, tokenId: token.id };
  }
  if (!service.isLoopback || (await authenticator.any())) throw refused("This needs a token.");
  // By the name that really came: what a proxy says of it a page could say as well.
  requireOwnMachine(request.headers.host, forwardedBy(request.headers, trustsProxy).isFromElsewhere);
  if (isWrite) requireOwnPage(pageHeaders(request, service), false);
  return { projectId, scopes };
}

export function pageHeaders({ headers }: IncomingMessage, { trustsProxy }: Pick<Service, "trustsProxy">) {
  const site = headers["sec-fetch-site"];
  return {
    origin: headers.origin,
    host: forwardedBy(headers, trustsProxy).host,
    site: typeof site === "string" ? site : undefined,
    marked: headers["x-spoor"] === "1",
  };
}
