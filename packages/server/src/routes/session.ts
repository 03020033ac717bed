/** A person at a browser: a token goes in once, a cookie comes back that no script can read. */

import { requireOwnPage } from "../auth/own-machine.ts";
import { createSession, sessionCookie } from "../auth/session.ts";
import { pageHeaders } from "./admit.ts";
import { parameter } from "./parameter.ts";
import { defineRoute } from "./route.ts";

export const signIn = defineRoute({
  method: "POST",
  path: "/api/v1/session",
  summary:
    "Exchanges a token for a cookie. Needs the service's own `Origin` and `X-Spoor: 1`, as every write with the cookie does.",
  body: { token: parameter.requiredText("the token") },
  answer: "204 with the cookie.",
  async run({ body, request }, service) {
    requireOwnPage(pageHeaders(request, service), true);
    const { authenticator, now } = service;
    const { prefix, hash } = await authenticator.byToken(body.token);
    return { status: 204, headers: { "set-cookie": sessionCookie(createSession(prefix, hash, now())) } };
  },
});

export const signOut = defineRoute({
  method: "DELETE",
  path: "/api/v1/session",
  summary: "Takes the cookie back.",
  answer: "204.",
  async run({ request }, service) {
    requireOwnPage(pageHeaders(request, service), true);
    return { status: 204, headers: { "set-cookie": sessionCookie("") } };
  },
});
