/** Tokens: made, listed, revoked. A token is shown once, when it is made. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import { createToken, hashToken, prefixOf } from "../auth/token.ts";
import type { Store } from "../store/store.ts";
import { type Scope, scopes, type Token } from "../store/tokens.ts";
import { notFound } from "./error-answer.ts";
import { parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";

export const listTokens = defineRoute({
  method: "GET",
  path: "/api/v1/tokens",
  scope: "admin",
  summary: "The tokens of the project, without their secrets.",
  answer: "200 `{tokens}`.",
  async run({ caller: { projectId } }, { store }) {
    return json({ tokens: (await store.tokens.list(projectId)).map(tokenJson) });
  },
});

export const addToken = defineRoute({
  method: "POST",
  path: "/api/v1/tokens",
  scope: "admin",
  summary: "Makes a token. The first one must open `admin`: from then on every request needs one.",
  body: {
    name: parameter.requiredText("who or what it is for"),
    scopes: parameter.words(scopes, "what it opens"),
    expiresAt: parameter.time("when it ends (default: never)"),
  },
  answer: "201 `{token, …}`; `token` is shown here and never again.",
  async run({ caller: { projectId }, body }, { store, now, authenticator }) {
    if (!body.scopes.includes("admin") && !(await authenticator.any()))
      throw new SpoorError("request.conflict", "The first token must open admin: nobody could make another.", {
        hint: "Make one with the scope admin first.",
      });
    const made = await makeToken(store, projectId, { ...body, now: now() });
    authenticator.forget();
    return json({ ...(tokenJson(made.row) as object), token: made.token }, 201);
  },
});

export const revokeToken = defineRoute({
  method: "DELETE",
  path: "/api/v1/tokens/{id}",
  scope: "admin",
  summary: "Revokes a token; other processes over the same store follow within half a minute.",
  answer: "204; 404 where there is none, or it was revoked before.",
  async run({ caller: { projectId }, path }, { store, now, authenticator }) {
    const id = /^\d{1,15}$/.test(path["id"]!) ? Number(path["id"]) : -1;
    if (!(await store.tokens.revoke(projectId, id, now()))) throw notFound("such token");
    authenticator.forget();
    return { status: 204 };
  },
});

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: number | undefined;
  readonly now: number;
}

/** Also for a service that is not running yet: `spoor serve --new-token`. */
export async function makeToken(
  store: Store,
  projectId: number,
  { name, scopes: granted, expiresAt, now }: NewToken,
): Promise<{ readonly token: string; readonly row: Token }> {
  const token = createToken(granted);
  const row = await store.tokens.add({
    projectId,
    name,
    prefix: prefixOf(token),
    scopes: granted,
    createdAt: now,
    hash: hashToken(token),
    ...present({ expiresAt }),
  });
  return { token, row };
}

function tokenJson({ projectId: _, ...token }: Token): Json {
  return present({ ...token }) as Json;
}
