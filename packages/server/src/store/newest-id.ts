import type { Statements } from "./engine/engine.ts";

/** How far a project has come: the id of its newest row, 0 before the first. */
export async function newestId(db: Statements, table: "events" | "runs", projectId: number): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select("id")
    .where("project_id", "=", projectId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}
