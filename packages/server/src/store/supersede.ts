import type { WaitingArrival } from "./arrival.ts";
import { type Counted, changeCounters, countedColumns } from "./counters.ts";
import type { Tx } from "./engine/engine.ts";
import { groupBy } from "./rows.ts";
import type { EvaluatedRun } from "./run-shapes.ts";

interface Written {
  readonly id: number;
  readonly arrival: Pick<WaitingArrival, "id" | "projectId" | "source">;
  readonly run: Pick<EvaluatedRun, "externalId">;
  readonly row: Omit<Counted, "id">;
}

/**
 * A trace that came as spans can be closed, and then a late span comes: its new arrival replaces what came of the old ones. The old runs stay, name the
 * run that replaced them, and are no longer counted. Of two that are evaluated at the same time the earlier one may be written last: it is born replaced. Called
 * when the runs are counted: whoever writes runs of the same agent waits there, so that one of two sees the other.
 */
export async function supersede(tx: Tx, written: readonly Written[]): Promise<void> {
  const ofSpans = written.filter(({ arrival }) => arrival.source.spanTrace !== undefined);
  for (const some of groupBy(ofSpans, ({ arrival }) => arrival.id).values()) {
    const { arrival } = some[0] as Written;
    const old = await tx
      .selectFrom("runs")
      .innerJoin("arrivals", "arrivals.id", "runs.arrival_id")
      .select(countedColumns.map((column) => `runs.${column}` as const))
      .select("runs.external_id")
      .where("arrivals.project_id", "=", arrival.projectId)
      .where("arrivals.trace_id", "in", [arrival.source.spanTrace as string, ...(arrival.source.replaces ?? [])])
      .where("arrivals.id", "<", arrival.id)
      .where("runs.superseded_by", "is", null)
      .execute();
    for (const run of old) {
      const successor = some.find((item) => item.run.externalId === run.external_id) ?? (some[0] as Written);
      await tx.updateTable("runs").set({ superseded_by: successor.id }).where("id", "=", run.id).execute();
    }
    await changeCounters(tx, old, -1);
    const newer = await tx
      .selectFrom("runs")
      .innerJoin("arrivals", "arrivals.id", "runs.arrival_id")
      .select("runs.id")
      .where("arrivals.project_id", "=", arrival.projectId)
      .where("arrivals.trace_id", "=", arrival.source.spanTrace as string)
      .where("arrivals.id", ">", arrival.id)
      .orderBy("arrivals.id", "desc")
      .limit(1)
      .executeTakeFirst();
    if (newer === undefined) continue;
    const ids = some.map(({ id }) => id);
    await tx.updateTable("runs").set({ superseded_by: newer.id }).where("id", "in", ids).execute();
    await changeCounters(
      tx,
      some.map(({ id, row }) => ({ ...row, id })),
      -1,
    );
  }
}
