/** How often the evaluation of an arrival was begun, and how often it failed: outside of the transaction that evaluates it, so that it survives that. */
import { sql } from "kysely";
import type { StoreEngine } from "./engine/engine.ts";

export async function raiseAttempts(engine: StoreEngine, ids: readonly number[]): Promise<void> {
  await engine.db
    .insertInto("attempts")
    .values(ids.map((id) => ({ id, attempts: 1 })))
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ attempts: sql`attempts.attempts + 1` }))
    .execute();
}

/** Their end was seen: it is no interruption, and a failure or not. */
export async function endAttempts(engine: StoreEngine, ids: readonly number[], failures: 0 | 1): Promise<void> {
  await engine.db
    .updateTable("attempts")
    .set({ attempts: sql`attempts - 1`, failures: sql`failures + ${sql.lit(failures)}` })
    .where("id", "in", ids)
    .where("attempts", ">", 0)
    .execute();
}
