import { sql } from "kysely";
import type { ArrivalSource, WaitingArrival } from "./arrival.ts";
import type { Statements } from "./engine/engine.ts";
import { readJson } from "./rows.ts";

/** Bytes of bodies that are read at once: a few large arrivals must not fill the memory. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The oldest that nobody has: by itself when it was begun before, else with those after it that were not. Only what is taken is locked, so that
 * others are not kept from the rest.
 */
export async function readBatch(
  db: Statements,
  limit: number,
  except: readonly number[],
  lock: boolean,
): Promise<readonly WaitingArrival[]> {
  const waiting = db
    .selectFrom("inbox")
    .leftJoin("attempts", "attempts.id", "inbox.id")
    .select(["inbox.id", sql<number>`length(inbox.body)`.as("size")])
    .select(sql<number>`coalesce(attempts.attempts, 0)`.as("attempts"))
    .select(sql<number>`coalesce(attempts.failures, 0)`.as("failures"))
    .$if(except.length > 0, (query) => query.where("inbox.id", "not in", except))
    .orderBy("inbox.id")
    .$if(lock, (query) => query.modifyEnd(sql`for update of inbox skip locked`));
  const oldest = await waiting.limit(1).executeTakeFirst();
  if (oldest === undefined) return [];
  const chosen = [oldest];
  const isBegun = oldest.attempts > 0 || oldest.failures > 0;
  if (!isBegun && limit > 1) {
    const further = await waiting
      .where("inbox.id", ">", oldest.id)
      .where(sql<number>`coalesce(attempts.attempts, 0) + coalesce(attempts.failures, 0)`, "=", 0)
      .limit(limit - 1)
      .execute();
    let bytes = oldest.size;
    for (const row of further) {
      bytes += row.size;
      if (bytes > MOST_BYTES) break;
      chosen.push(row);
    }
  }
  const rows = await db
    .selectFrom("inbox")
    .innerJoin("arrivals", "arrivals.id", "inbox.id")
    .selectAll("inbox")
    .select("arrivals.content_id")
    .where(
      "inbox.id",
      "in",
      chosen.map(({ id }) => id),
    )
    .orderBy("inbox.id")
    .execute();
  const before = new Map(chosen.map((row) => [row.id, row]));
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    contentId: row.content_id,
    source: readJson(row.source) as unknown as ArrivalSource,
    codec: row.codec,
    body: row.body,
    receivedAt: row.received_at,
    attempts: before.get(row.id)?.attempts ?? 0,
    failures: before.get(row.id)?.failures ?? 0,
  }));
}
