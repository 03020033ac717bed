import type { Selectable } from "kysely";
import type { StoreEngine } from "./engine/engine.ts";
import { given } from "./rows.ts";
import type { Tables } from "./schema.ts";

export const scopes = ["ingest", "read", "admin"] as const;
export type Scope = (typeof scopes)[number];

export interface Token {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  /** Its first characters, by which people tell tokens apart. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

export interface Tokens {
  add(token: Omit<Token, "id" | "lastUsedAt" | "revokedAt"> & { readonly hash: Uint8Array }): Promise<Token>;
  /** Also revoked and expired ones: whoever asks says why it is refused. */
  withPrefix(prefix: string): Promise<readonly (Token & { readonly hash: Uint8Array })[]>;
  list(projectId: number): Promise<readonly Token[]>;
  revoke(projectId: number, tokenId: number, at: number): Promise<boolean>;
  used(tokenId: number, at: number): Promise<void>;
  /** Whether there is any at all: without one the service answers this machine alone. */
  any(): Promise<boolean>;
}

export function createTokens({ db, kind }: StoreEngine): Tokens {
  /** Nobody but this process writes to the embedded file: that there is none stays true until it makes one. Every request asks. */
  let isNone = false;
  return {
    async add(token) {
      isNone = false;
      const row = await db
        .insertInto("tokens")
        .values({
          project_id: token.projectId,
          name: token.name,
          prefix: token.prefix,
          hash: token.hash,
          scopes: token.scopes.join(" "),
          created_at: token.createdAt,
          expires_at: token.expiresAt ?? null,
          last_used_at: null,
          revoked_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return tokenOf(row);
    },
    async withPrefix(prefix) {
      const rows = await db.selectFrom("tokens").selectAll().where("prefix", "=", prefix).orderBy("id").execute();
      return rows.map((row) => ({ ...tokenOf(row), hash: row.hash }));
    },
    async list(projectId) {
      const rows = await db
        .selectFrom("tokens")
        .selectAll()
        .where("project_id", "=", projectId)
        .orderBy("id")
        .execute();
      return rows.map(tokenOf);
    },
    async revoke(projectId, tokenId, at) {
      const revoked = await db
        .updateTable("tokens")
        .set({ revoked_at: at })
        .where("project_id", "=", projectId)
        .where("id", "=", tokenId)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return revoked.length > 0;
    },
    async used(tokenId, at) {
      await db.updateTable("tokens").set({ last_used_at: at }).where("id", "=", tokenId).execute();
    },
    async any() {
      if (isNone) return false;
      const found = await db.selectFrom("tokens").select("id").limit(1).executeTakeFirst();
      isNone = found === undefined && kind === "libsql";
      return found !== undefined;
    },
  };
}

function tokenOf(row: Selectable<Tables["tokens"]>): Token {
  const known = new Set(row.scopes.split(" "));
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopes.filter((scope: Scope) => known.has(scope)),
    createdAt: row.created_at,
    ...given("expiresAt", row.expires_at),
    ...given("lastUsedAt", row.last_used_at),
    ...given("revokedAt", row.revoked_at),
  };
}
