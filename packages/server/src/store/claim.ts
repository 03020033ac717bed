/**
 * Taking arrivals out of the inbox: claimed, evaluated, their effects written and they themselves deleted, in ONE transaction. On PostgreSQL the rows
 * are locked while they are evaluated, and others pass over them; the embedded file evaluates outside of its only write lock, and then only what the
 * delete really removed has effects.
 *
 * Poison: before an evaluation begins, its count is raised in a transaction of its own, which survives whatever the evaluation does to the process.
 * What was begun before is evaluated alone, so that it takes nothing down with it; what fails for the third time is rejected with the reason.
 *
 * A process that ended in the middle is no failure, however often: whoever restarts machines ends processes too, and that must cost no recording. After
 * a few of them the arrival is a suspect, and evaluated in a process of its own whose end somebody sees: that one's end is a failure.
 */

import type { Json } from "@spoor/core";
import { messageOf, SpoorError } from "@spoor/core/internal/errors";
import type { Outcome, WaitingArrival } from "./arrival.ts";
import { endAttempts, raiseAttempts } from "./attempts.ts";
import type { StoreEngine, Tx } from "./engine/engine.ts";
import { isConflict } from "./engine/store-error.ts";
import { writeEvents } from "./events.ts";
import { headOf } from "./head.ts";
import { readBatch } from "./read-batch.ts";
import { monthOf, writeJson } from "./rows.ts";
import { writeOutcomes } from "./write-outcomes.ts";

const MOST_FAILURES = 3;
/** So often the process was gone before there was any answer. */
const SUSPECT_FROM = 3;

/**
 * Takes the oldest arrivals nobody else has, has them evaluated, and writes what came of them and takes them out of the inbox in ONE transaction:
 * killed at any point, each arrival has had its effects once or is still there. How many were taken; 0 when none waits.
 */
export type Claim = (limit: number, evaluate: Evaluate) => Promise<number>;

/** `isSuspect` is true of a lone arrival at which processes ended several times: it is to be evaluated where it can end no other. */
type Evaluate = (arrivals: readonly WaitingArrival[], isSuspect: boolean) => Promise<readonly Outcome[]>;

export function createClaim(engine: StoreEngine, now: () => number): Claim {
  /** What this process is at: two claims at once on the embedded file do not evaluate the same. */
  const busy = new Set<number>();
  let picking: Promise<unknown> = Promise.resolve();

  async function claim(limit: number, evaluate: Evaluate): Promise<number> {
    const taken =
      engine.claim === undefined
        ? await claimUnlocked(limit, evaluate)
        : await claimLocked(engine.claim, limit, evaluate);
    if (taken > 0) engine.bell.ring("events");
    return taken;
  }

  async function claimLocked(
    open: NonNullable<StoreEngine["claim"]>,
    limit: number,
    evaluate: Evaluate,
  ): Promise<number> {
    const outcome = await open(async (tx) => {
      const batch = await readBatch(tx, limit, [], true);
      if (batch.length === 0) return { taken: 0 };
      const judged = await judge(batch, evaluate);
      if ("error" in judged) return { failed: batch, error: judged.error };
      await engine.prepareMonths([...new Set(batch.map(({ receivedAt }) => monthOf(receivedAt)))]);
      try {
        await tx
          .deleteFrom("inbox")
          .where(
            "id",
            "in",
            batch.map(({ id }) => id),
          )
          .execute();
        await finish(tx, batch, judged.outcomes);
      } catch (error) {
        // The transaction cannot go on; what it took stands in the inbox again when it is rolled back.
        throw new UnwrittenBatch(batch, error);
      }
      return { taken: batch.length };
    }).catch((error: unknown) => {
      if (error instanceof UnwrittenBatch) return { failed: error.batch, error: error.cause };
      throw error;
    });
    return outcome.failed === undefined ? outcome.taken : giveUpOrRetry(outcome.failed, outcome.error);
  }

  async function claimUnlocked(limit: number, evaluate: Evaluate): Promise<number> {
    const batch = await pick(limit);
    try {
      if (batch.length === 0) return 0;
      const judged = await judge(batch, evaluate);
      if ("error" in judged) return await giveUpOrRetry(batch, judged.error);
      try {
        await engine.transaction(async (tx) => {
          const removed = await tx
            .deleteFrom("inbox")
            .where(
              "id",
              "in",
              batch.map(({ id }) => id),
            )
            .returning("id")
            .execute();
          const mine = new Set(removed.map(({ id }) => id));
          const kept = batch.flatMap((arrival, index) => (mine.has(arrival.id) ? [index] : []));
          await finish(
            tx,
            kept.map((index) => batch[index] as WaitingArrival),
            kept.map((index) => judged.outcomes[index] as Outcome),
          );
        });
      } catch (error) {
        return await giveUpOrRetry(batch, error);
      }
      return batch.length;
    } finally {
      for (const { id } of batch) busy.delete(id);
    }
  }

  /** One after the other: between reading and remembering nobody else may read. */
  async function pick(limit: number): Promise<readonly WaitingArrival[]> {
    const picked = picking.then(async () => {
      const batch = await readBatch(engine.db, limit, [...busy], false);
      for (const { id } of batch) busy.add(id);
      return batch;
    });
    picking = picked.then(
      () => undefined,
      () => undefined,
    );
    return picked;
  }

  /** Raises the count first. */
  async function judge(
    batch: readonly WaitingArrival[],
    evaluate: Evaluate,
  ): Promise<{ readonly outcomes: readonly Outcome[] } | { readonly error: unknown }> {
    await raiseAttempts(
      engine,
      batch.map(({ id }) => id),
    );
    try {
      const outcomes = await evaluate(batch, batch.length === 1 && batch[0]!.attempts >= SUSPECT_FROM);
      if (outcomes.length === batch.length) return { outcomes };
      return {
        error: new Error(`${batch.length} arrivals were evaluated, and ${outcomes.length} outcomes came back.`),
      };
    } catch (error) {
      return { error };
    }
  }

  /** Nothing of the batch was written. A store that is away is nobody's fault; a lone arrival that failed too often is rejected. */
  async function giveUpOrRetry(batch: readonly WaitingArrival[], error: unknown): Promise<number> {
    const conflict = isConflict(error);
    if (conflict || (error instanceof SpoorError && error.code.startsWith("store."))) {
      const lowered = endAttempts(
        engine,
        batch.map(({ id }) => id),
        0,
      );
      // Two workers that waited for each other try again; a store that is away is for the caller.
      await lowered.catch(() => undefined);
      if (conflict) return batch.length;
      throw error;
    }
    const [only] = batch;
    if (batch.length === 1 && only !== undefined && only.failures + 1 >= MOST_FAILURES) {
      await engine.transaction(async (tx) => {
        const removed = await tx.deleteFrom("inbox").where("id", "=", only.id).returning("id").execute();
        if (removed.length > 0) await finish(tx, [only], [rejectionFor(error)]);
      });
      return batch.length;
    }
    await endAttempts(
      engine,
      batch.map(({ id }) => id),
      1,
    );
    return batch.length;
  }

  async function finish(tx: Tx, batch: readonly WaitingArrival[], outcomes: readonly Outcome[]): Promise<void> {
    if (batch.length === 0) return;
    await tx
      .deleteFrom("attempts")
      .where(
        "id",
        "in",
        batch.map(({ id }) => id),
      )
      .execute();
    const at = now();
    const rejections = batch.flatMap((arrival, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === "rejected" ? [{ arrival, outcome }] : [];
    });
    if (rejections.length > 0) {
      await tx
        .insertInto("rejected")
        .values(
          rejections.map(({ arrival, outcome }) => ({
            id: arrival.id,
            project_id: arrival.projectId,
            code: outcome.code,
            message: outcome.message,
            at: outcome.at === undefined ? null : writeJson(outcome.at),
            received_at: arrival.receivedAt,
            rejected_at: at,
            head: headOf(arrival),
          })),
        )
        .execute();
    }
    const evaluated = batch.flatMap((arrival, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === "runs" ? [{ arrival, runs: outcome.runs }] : [];
    });
    await writeEvents(engine, tx, await writeOutcomes(tx, evaluated, at));
  }

  return claim;
}

class UnwrittenBatch extends Error {
  readonly batch: readonly WaitingArrival[];

  constructor(batch: readonly WaitingArrival[], cause: unknown) {
    super("The effects of a batch could not be written.", { cause });
    this.batch = batch;
  }
}

function rejectionFor(error: unknown): Extract<Outcome, { kind: "rejected" }> {
  const code = error instanceof SpoorError ? error.code : "evaluation.failed";
  const message = messageOf(error);
  const stack: Json | undefined =
    error instanceof Error && !(error instanceof SpoorError) && error.stack ? { stack: error.stack } : undefined;
  return { kind: "rejected", code, message, ...(stack === undefined ? {} : { at: stack }) };
}
