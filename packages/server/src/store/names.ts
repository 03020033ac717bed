/** Names that rows refer to by number: made when they are first seen, in sorted order, so that two writers that bring the same new names do not block each other. */
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import type { Arrival } from "./arrival.ts";
import type { Tx } from "./engine/engine.ts";
import { cleanText } from "./engine/values.ts";
import { groupBy, inChunks } from "./rows.ts";
import type { EvaluatedRun } from "./run-shapes.ts";

interface Named {
  readonly arrival: Pick<Arrival, "projectId" | "receivedAt">;
  readonly run: EvaluatedRun;
}

export async function ensureAgents(tx: Tx, items: readonly Named[]): Promise<(item: Named) => number> {
  const wanted = sortedPairs(items.map(({ arrival, run }) => [arrival.projectId, run.agent]));
  const nouns = new Map(items.map(({ arrival, run }) => [pairKey(arrival.projectId, run.agent), run.noun]));
  const ids = await ensurePairs(tx, "agents", "project_id", wanted, (owner, name) => ({
    project_id: owner,
    name,
    noun: nouns.get(pairKey(owner, name)) ?? null,
  }));
  return ({ arrival, run }) => idOf(ids, arrival.projectId, run.agent);
}

export async function ensureReleases(
  tx: Tx,
  items: readonly (Named & { readonly agentId: number })[],
): Promise<(item: Named & { readonly agentId: number }) => number> {
  const released = items.filter(({ run }) => run.release !== undefined);
  const wanted = sortedPairs(released.map(({ agentId, run }) => [agentId, run.release as string]));
  const seenAt = new Map<string, number>();
  for (const { agentId, run, arrival } of released) {
    const key = pairKey(agentId, run.release as string);
    seenAt.set(key, Math.min(seenAt.get(key) ?? Number.POSITIVE_INFINITY, arrival.receivedAt));
  }
  const ids = await ensurePairs(tx, "releases", "agent_id", wanted, (owner, name) => ({
    agent_id: owner,
    name,
    first_seen_at: seenAt.get(pairKey(owner, name)) as number,
  }));
  return ({ agentId, run }) => (run.release === undefined ? -1 : idOf(ids, agentId, run.release));
}

export async function ensureTools(
  tx: Tx,
  items: readonly Named[],
): Promise<(projectId: number, name: string) => number> {
  const wanted = sortedPairs(
    items.flatMap(({ arrival, run }) => run.tools.map(({ name }) => [arrival.projectId, name] as const)),
  );
  const ids = await ensurePairs(tx, "tools", "project_id", wanted, (owner, name) => ({ project_id: owner, name }));
  return (projectId, name) => idOf(ids, projectId, name);
}

type Pair = readonly [owner: number, name: string];

async function ensurePairs<Row extends object>(
  tx: Tx,
  table: "agents" | "releases" | "tools",
  owner: "project_id" | "agent_id",
  wanted: readonly Pair[],
  rowOf: (owner: number, name: string) => Row,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  const find = async (pairs: readonly Pair[]) => {
    for (const [ownerId, some] of groupBy(pairs, ([id]) => id)) {
      await inChunks(some, async (chunk) => {
        const names = chunk.map(([, name]) => name);
        // The three tables have the same two columns for this; their types do not say so.
        const rows = (await tx
          .selectFrom(table as "agents")
          .select(["id", "name"])
          .where(owner as "project_id", "=", ownerId)
          .where("name", "in", names)
          .execute()) satisfies readonly { id: number; name: string }[];
        for (const { id, name } of rows) ids.set(pairKey(ownerId, name), id);
      });
    }
  };
  await find(wanted);
  const missing = wanted.filter(([ownerId, name]) => !ids.has(pairKey(ownerId, name)));
  if (missing.length === 0) return ids;
  await inChunks(
    missing.map(([ownerId, name]) => rowOf(ownerId, name)),
    (chunk) =>
      tx
        .insertInto(table as "agents")
        .values(chunk as never)
        .onConflict((conflict) => conflict.columns([owner, "name"] as never).doNothing())
        .execute(),
  );
  await find(missing);
  return ids;
}

/** Names as the engines keep them: two that differ only in what text cannot hold are one. */
function sortedPairs(pairs: readonly Pair[]): readonly Pair[] {
  const distinct = new Map(pairs.map(([owner, name]) => [pairKey(owner, name), [owner, cleanText(name)] as const]));
  return [...distinct.values()].sort((left, right) => left[0] - right[0] || compareCodePoints(left[1], right[1]));
}

function pairKey(owner: number, name: string): string {
  return `${owner}/${cleanText(name)}`;
}

function idOf(ids: ReadonlyMap<string, number>, owner: number, name: string): number {
  const id = ids.get(pairKey(owner, name));
  if (id === undefined) throw new Error(`The name ${JSON.stringify(name)} was not kept.`);
  return id;
}
