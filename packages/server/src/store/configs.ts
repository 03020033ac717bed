import { createHash } from "node:crypto";
import type { StoreEngine } from "./engine/engine.ts";

/** Files that stages read, by the digest of exactly what they read. */
export interface Configs {
  put(projectId: number, kind: string, name: string, body: string, at: number): Promise<string>;
  get(projectId: number, hash: string): Promise<string | undefined>;
  /** The newest body of that kind and name. */
  current(
    projectId: number,
    kind: string,
    name: string,
  ): Promise<{ readonly hash: string; readonly body: string } | undefined>;
  list(
    projectId: number,
    kind: string,
  ): Promise<readonly { readonly name: string; readonly hash: string; readonly createdAt: number }[]>;
}

/** Append-only: putting a body again that is not the newest makes it the newest. Bodies are bytes, so that their digest is that of what comes back. */
export function createConfigs(engine: StoreEngine): Configs {
  const { db } = engine;
  const newest = (projectId: number, kind: string, name: string) =>
    db
      .selectFrom("configs")
      .select(["hash", "body"])
      .where("project_id", "=", projectId)
      .where("kind", "=", kind)
      .where("name", "=", name)
      .orderBy("id", "desc")
      .limit(1);
  return {
    async put(projectId, kind, name, body, at) {
      const hash = createHash("sha256").update(body).digest("hex");
      const current = await newest(projectId, kind, name).executeTakeFirst();
      if (current?.hash === hash) return hash;
      await db
        .insertInto("configs")
        .values({ project_id: projectId, kind, name, hash, body: Buffer.from(body), created_at: at })
        .execute();
      return hash;
    },
    async get(projectId, hash) {
      const row = await db
        .selectFrom("configs")
        .select("body")
        .where("project_id", "=", projectId)
        .where("hash", "=", hash)
        .limit(1)
        .executeTakeFirst();
      return row && textOf(row.body);
    },
    async current(projectId, kind, name) {
      const row = await newest(projectId, kind, name).executeTakeFirst();
      return row && { hash: row.hash, body: textOf(row.body) };
    },
    async list(projectId, kind) {
      const rows = await db
        .selectFrom("configs")
        .select(["name", "hash", "created_at"])
        .where("project_id", "=", projectId)
        .where("kind", "=", kind)
        .where("id", "in", (query) =>
          query
            .selectFrom("configs as newest")
            .select(({ fn }) => fn.max("newest.id").as("id"))
            .where("newest.project_id", "=", projectId)
            .where("newest.kind", "=", kind)
            .groupBy("newest.name"),
        )
        .orderBy("name")
        .execute();
      return rows.map((row) => ({ name: row.name, hash: row.hash, createdAt: row.created_at }));
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
