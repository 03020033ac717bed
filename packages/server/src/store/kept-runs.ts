import type { Tx } from "./engine/engine.ts";
import { inChunks } from "./rows.ts";

/** Something names these runs: retention leaves their bodies. Only runs of the same project are taken. */
export async function keepRuns(
  tx: Tx,
  projectId: number,
  kind: "baseline" | "report",
  id: number,
  runs: readonly number[],
): Promise<void> {
  await inChunks(
    runs.map((run) => ({ run })),
    async (chunk) => {
      const own = await tx
        .selectFrom("runs")
        .select("id")
        .where("project_id", "=", projectId)
        .where(
          "id",
          "in",
          chunk.map(({ run }) => run),
        )
        .execute();
      if (own.length === 0) return;
      await tx
        .insertInto("kept_runs")
        .values(own.map((run) => ({ project_id: projectId, run_id: run.id, by_kind: kind, by_id: id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  );
}
