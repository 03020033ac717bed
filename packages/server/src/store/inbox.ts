/**
 * The queue of what was acknowledged and not evaluated yet. `arrivals` remembers every content id for good; `inbox` holds the bytes until their
 * effects are written.
 */
import type { Selectable } from "kysely";
import type { Arrival, Rejection } from "./arrival.ts";
import { type Claim, createClaim } from "./claim.ts";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { createGroupCommit } from "./group-commit.ts";
import { given, hexOf, inChunks, readJson, writeJson } from "./rows.ts";
import type { Tables } from "./schema.ts";

export interface Inbox {
  /**
   * All of them in one transaction, durable when it resolves. For each whether it is new: what waits, was evaluated, was refused or was deleted
   * already is not.
   */
  append(arrivals: readonly Arrival[]): Promise<readonly boolean[]>;
  readonly claim: Claim;
  /** An arrival that waits, or was refused, by its id or the first half of it; the page of a run that is not there yet says so. */
  find(projectId: number, contentId: Uint8Array): Promise<"waiting" | Rejection | undefined>;
  lag(projectId?: number): Promise<Lag>;
  rejected(projectId: number, before: number | undefined, limit: number): Promise<readonly Rejection[]>;
}

export interface Lag {
  readonly waiting: number;
  readonly oldestReceivedAt?: number;
}

/** Arrivals that share a transaction; one caller's are never divided. */
const GROUP = 64;
/** Of a SHA-256. */
const ID_BYTES = 32;

export function createInbox(engine: StoreEngine, now: () => number): Inbox {
  const { db, bell } = engine;
  const commit = createGroupCommit<Arrival, boolean>(
    (arrivals) => engine.transaction((tx) => writeArrivals(tx, arrivals)),
    GROUP,
  );
  const rejections = () =>
    db
      .selectFrom("rejected")
      .innerJoin("arrivals", "arrivals.id", "rejected.id")
      .selectAll("rejected")
      .select("arrivals.content_id");
  return {
    async append(arrivals) {
      if (arrivals.length === 0) return [];
      const fresh = await commit(arrivals);
      if (fresh.includes(true)) bell.ring("inbox");
      return fresh;
    },
    claim: createClaim(engine, now),
    async find(projectId, contentId) {
      // Of an id that is not whole, every one that begins so: addresses have the first half.
      const last = Buffer.alloc(ID_BYTES, 0xff);
      last.set(contentId);
      const waiting = await db
        .selectFrom("arrivals")
        .innerJoin("inbox", "inbox.id", "arrivals.id")
        .select("inbox.id")
        .where("arrivals.project_id", "=", projectId)
        .where("arrivals.content_id", ">=", contentId)
        .where("arrivals.content_id", "<=", last)
        .executeTakeFirst();
      if (waiting !== undefined) return "waiting";
      const rejected = await rejections()
        .where("arrivals.project_id", "=", projectId)
        .where("arrivals.content_id", ">=", contentId)
        .where("arrivals.content_id", "<=", last)
        .executeTakeFirst();
      return rejected === undefined ? undefined : rejectionOf(rejected);
    },
    async lag(projectId) {
      const row = await db
        .selectFrom("inbox")
        .select(({ fn }) => [fn.countAll<number>().as("waiting"), fn.min<number | null>("received_at").as("oldest")])
        .$if(projectId !== undefined, (query) => query.where("project_id", "=", projectId as number))
        .executeTakeFirstOrThrow();
      return { waiting: row.waiting, ...given("oldestReceivedAt", row.oldest) };
    },
    async rejected(projectId, before, limit) {
      const rows = await rejections()
        .where("rejected.project_id", "=", projectId)
        .$if(before !== undefined, (query) => query.where("rejected.id", "<", before as number))
        .orderBy("rejected.id", "desc")
        .limit(limit)
        .execute();
      return rows.map(rejectionOf);
    },
  };
}

/** For each whether its content id was new to the project, the first of equal ones alone. */
export async function writeArrivals(tx: Tx, arrivals: readonly Arrival[]): Promise<readonly boolean[]> {
  const keys = arrivals.map(({ projectId, contentId }) => `${projectId}/${hexOf(contentId)}`);
  const first = new Map<string, Arrival>();
  for (const [index, key] of keys.entries()) if (!first.has(key)) first.set(key, arrivals[index] as Arrival);
  const ids = new Map<string, number>();
  await inChunks(
    [...first.values()].map(({ projectId, contentId, source }) => ({
      project_id: projectId,
      content_id: contentId,
      trace_id: source.spanTrace ?? null,
    })),
    async (chunk) => {
      const rows = await tx
        .insertInto("arrivals")
        .values(chunk)
        .onConflict((conflict) => conflict.columns(["project_id", "content_id"]).doNothing())
        .returning(["id", "project_id", "content_id"])
        .execute();
      for (const row of rows) ids.set(`${row.project_id}/${hexOf(row.content_id)}`, row.id);
    },
  );
  const fresh = [...first].filter(([key]) => ids.has(key));
  await inChunks(
    fresh.map(([key, arrival]) => ({
      id: ids.get(key) as number,
      project_id: arrival.projectId,
      source: writeJson({ ...arrival.source }),
      codec: arrival.codec,
      body: arrival.body,
      received_at: arrival.receivedAt,
    })),
    (chunk) => tx.insertInto("inbox").values(chunk).execute(),
  );
  return keys.map((key, index) => ids.has(key) && first.get(key) === arrivals[index]);
}

function rejectionOf(row: Selectable<Tables["rejected"]> & { readonly content_id: Uint8Array }): Rejection {
  return {
    id: row.id,
    contentId: row.content_id,
    code: row.code,
    message: row.message,
    ...given("at", row.at === null ? undefined : readJson(row.at)),
    receivedAt: row.received_at,
    head: row.head,
  };
}
