/**
 * Sums over runs that are kept beside them: how often a behaviour was seen, and the rollups of an hour. They are changed only in the transaction that
 * writes, replaces or deletes the runs, so that they are exact at every moment. Rows are taken in sorted order: two writers never wait in a circle.
 */
import { deflateRawSync } from "node:zlib";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { type Selectable, sql } from "kysely";
import type { Tx } from "./engine/engine.ts";
import { cleanText } from "./engine/values.ts";
import { groupBy, HOUR_MS, inChunks, writeJson } from "./rows.ts";
import type { EvaluatedRun } from "./run-shapes.ts";
import type { RunsTable, Tables } from "./schema.ts";

interface Behaving {
  readonly agentId: number;
  readonly arrival: { readonly receivedAt: number };
  readonly run: EvaluatedRun;
}

/** The numbers of the behaviours of runs; new ones are made and not counted yet. */
export async function ensureBehaviours(tx: Tx, items: readonly Behaving[]): Promise<(item: Behaving) => number> {
  const wanted = new Map(items.map((item) => [behaviourKey(item), item]));
  const ids = new Map<string, number>();
  const find = async (some: readonly Behaving[]) => {
    for (const [agentId, ofAgent] of groupBy(some, (item) => item.agentId)) {
      await inChunks(ofAgent, async (chunk) => {
        const rows = await tx
          .selectFrom("behaviours")
          .select(["id", "agent_id", "hash_version", "mode", "hash"])
          .where("agent_id", "=", agentId)
          .where(
            "hash",
            "in",
            chunk.map(({ run }) => run.fingerprint),
          )
          .execute();
        for (const row of rows) ids.set(keyOf(row.agent_id, row.hash_version, row.mode, row.hash), row.id);
      });
    }
  };
  await find([...wanted.values()]);
  const missing = [...wanted]
    .filter(([key]) => !ids.has(key))
    .sort(([left], [right]) => compareCodePoints(left, right));
  await inChunks(
    missing.map(([, { agentId, arrival, run }]) => ({
      agent_id: agentId,
      hash_version: run.hashVersion,
      mode: run.mode,
      hash: run.fingerprint,
      path: deflateRawSync(writeJson(run.path)),
      seen: 0,
      first_run_id: 0,
      last_seen_at: arrival.receivedAt,
      status: run.verdict,
    })),
    (chunk) =>
      tx
        .insertInto("behaviours")
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  if (missing.length > 0) await find(missing.map(([, item]) => item));
  return (item) => {
    const id = ids.get(behaviourKey(item));
    if (id === undefined) throw new Error("A behaviour was not kept.");
    return id;
  };
}

function behaviourKey({ agentId, run }: Behaving): string {
  return keyOf(agentId, run.hashVersion, run.mode, run.fingerprint);
}

function keyOf(agentId: number, hashVersion: string, mode: string, hash: string): string {
  return JSON.stringify([agentId, cleanText(hashVersion), cleanText(mode), cleanText(hash)]);
}

export type Counted = Pick<
  Selectable<RunsTable>,
  | "id"
  | "agent_id"
  | "release_id"
  | "behaviour_id"
  | "received_at"
  | "status"
  | "verdict"
  | "findings"
  | "errors"
  | "input_tokens"
  | "output_tokens"
  | "cost_micro"
  | "duration_ms"
>;

export const countedColumns = [
  "id",
  "agent_id",
  "release_id",
  "behaviour_id",
  "received_at",
  "status",
  "verdict",
  "findings",
  "errors",
  "input_tokens",
  "output_tokens",
  "cost_micro",
  "duration_ms",
] as const satisfies readonly (keyof Counted)[];

/** Runs came (1) or went (-1). */
export async function changeCounters(tx: Tx, runs: readonly Counted[], sign: 1 | -1): Promise<void> {
  if (runs.length === 0) return;
  await changeBehaviours(tx, runs, sign);
  await changeRollups(tx, runs, sign);
}

async function changeBehaviours(tx: Tx, runs: readonly Counted[], sign: 1 | -1): Promise<void> {
  const byBehaviour = groupBy(runs, (run) => run.behaviour_id);
  const ids = [...byBehaviour.keys()];
  const rows: Selectable<Tables["behaviours"]>[] = [];
  await inChunks(
    ids.map((id) => ({ id })),
    async (chunk) => {
      rows.push(
        ...(await tx
          .selectFrom("behaviours")
          .selectAll()
          .where(
            "id",
            "in",
            chunk.map(({ id }) => id),
          )
          .execute()),
      );
    },
  );
  const changed = rows
    .sort((left, right) => left.id - right.id)
    .map((row) => {
      const some = byBehaviour.get(row.id) as readonly Counted[];
      const last = some.at(-1) as Counted;
      return {
        ...row,
        seen: sign * some.length,
        first_run_id: Math.min(...some.map(({ id }) => id)),
        last_seen_at: sign === 1 ? Math.max(...some.map((run) => run.received_at)) : 0,
        status: sign === 1 ? last.verdict : row.status,
      };
    });
  await inChunks(changed, (chunk) =>
    tx
      .insertInto("behaviours")
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet({
          seen: sql`behaviours.seen + excluded.seen`,
          first_run_id: sql`case when behaviours.first_run_id = 0 then excluded.first_run_id else behaviours.first_run_id end`,
          last_seen_at: sql`case when excluded.last_seen_at > behaviours.last_seen_at then excluded.last_seen_at else behaviours.last_seen_at end`,
          status: sql`excluded.status`,
        }),
      )
      .execute(),
  );
  if (sign === -1) await renewFirstRuns(tx, ids);
}

/**
 * A behaviour whose first run went begins with the next. One without runs stays, seen 0 times, and is not listed: another writer may be about to count
 * a run of it.
 */
async function renewFirstRuns(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable("behaviours")
    .set({
      first_run_id: sql`coalesce((select min(runs.id) from runs where runs.behaviour_id = behaviours.id and runs.superseded_by is null), 0)`,
    })
    .where("id", "in", ids)
    .execute();
}

export async function changeRollups(tx: Tx, runs: readonly Counted[], sign: 1 | -1): Promise<void> {
  const sums = new Map<string, { -readonly [Key in keyof Selectable<Tables["rollups"]>]: number }>();
  for (const run of runs) {
    const hour = Math.floor(run.received_at / HOUR_MS);
    const key = `${run.agent_id}/${run.release_id}/${hour}`;
    const sum = sums.get(key) ?? { agent_id: run.agent_id, release_id: run.release_id, hour, ...NOTHING };
    sums.set(key, sum);
    sum.runs += sign;
    if (KNOWN.has(run.verdict)) sum.known += sign;
    if (run.status === "failed") sum.failed += sign;
    sum.violations += sign * run.findings;
    sum.errors += sign * run.errors;
    sum.tokens += sign * ((run.input_tokens ?? 0) + (run.output_tokens ?? 0));
    sum.cost_micro += sign * (run.cost_micro ?? 0);
    sum.ms_sum += sign * (run.duration_ms ?? 0);
  }
  const rows = [...sums.values()].sort(
    (left, right) => left.agent_id - right.agent_id || left.release_id - right.release_id || left.hour - right.hour,
  );
  await inChunks(rows, (chunk) =>
    tx
      .insertInto("rollups")
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(["agent_id", "release_id", "hour"])
          .doUpdateSet(
            Object.fromEntries(
              Object.keys(NOTHING).map((column) => [
                column,
                sql`${sql.ref(`rollups.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
              ]),
            ),
          ),
      )
      .execute(),
  );
}

export type RollupRow = Selectable<Tables["rollups"]>;

const NOTHING = { runs: 0, known: 0, failed: 0, violations: 0, errors: 0, tokens: 0, cost_micro: 0, ms_sum: 0 };

/** Verdicts that say: the baseline knows this behaviour. */
const KNOWN: ReadonlySet<string> = new Set(["match", "accepted_variant", "structural_match"]);

/** The sums of a rollup, by name. */
export const rollupSums = Object.keys(NOTHING) as readonly (keyof typeof NOTHING)[];

/** The same sums as a question about runs: what `changeRollups` has added up one by one. */
export const countedRollups = sql.raw(
  Object.entries({
    runs: "count(*)",
    known: `sum(case when verdict in (${[...KNOWN].map((word) => `'${word}'`).join(", ")}) then 1 else 0 end)`,
    failed: "sum(case when status = 'failed' then 1 else 0 end)",
    violations: "sum(findings)",
    errors: "sum(errors)",
    tokens: "sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0))",
    cost_micro: "sum(coalesce(cost_micro, 0))",
    ms_sum: "sum(coalesce(duration_ms, 0))",
  } satisfies Record<keyof typeof NOTHING, string>)
    .map(([name, sum]) => `${sum} as ${name}`)
    .join(", "),
);
