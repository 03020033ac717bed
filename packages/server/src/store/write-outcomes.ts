/**
 * Everything that the evaluation of arrivals gives, written in the transaction that takes them out of the inbox: this is the only place where runs come
 * into the store, whichever engine holds it. A run that is known already, or was deleted, has no effects.
 *
 * Rows that several writers share are taken in one order (names, runs, counters; each sorted by key), so that writers never wait in a circle;
 * counters come last and are held for the shortest time.
 */

import type { Json } from "@spoor/core";
import type { Selectable } from "kysely";
import { alertsOfRules, writeAlerts } from "./alerts.ts";
import type { WaitingArrival } from "./arrival.ts";
import { changeCounters, ensureBehaviours } from "./counters.ts";
import type { Tx } from "./engine/engine.ts";
import { cleanText } from "./engine/values.ts";
import type { NewEvent } from "./events.ts";
import { figure, timeFigure } from "./figures.ts";
import { distinctFindings, findingRow } from "./finding-rows.ts";
import { ensureAgents, ensureReleases, ensureTools } from "./names.ts";
import { groupBy, hexOf, inChunks, monthOf, writeJson } from "./rows.ts";
import type { EvaluatedRun } from "./run-shapes.ts";
import type { RunsTable } from "./schema.ts";
import { supersede } from "./supersede.ts";

export interface EvaluatedArrival {
  readonly arrival: Pick<WaitingArrival, "id" | "projectId" | "receivedAt" | "source">;
  readonly runs: readonly EvaluatedRun[];
}

/** A run on its way into the store. */
export interface Item {
  readonly arrival: EvaluatedArrival["arrival"];
  readonly run: EvaluatedRun;
  readonly agentId: number;
  /** -1 for none. */
  readonly releaseId: number;
  readonly findings: number;
}

export interface WrittenItem extends Item {
  readonly id: number;
  readonly row: RunRow;
}

type RunRow = Omit<Selectable<RunsTable>, "id">;

/** The events that are to be written last. */
export async function writeOutcomes(
  tx: Tx,
  evaluated: readonly EvaluatedArrival[],
  at: number,
): Promise<readonly NewEvent[]> {
  const fresh = await freshRuns(tx, evaluated);
  if (fresh.length === 0) return [];
  const items = await withNames(tx, fresh);
  const tools = await ensureTools(tx, items);
  const behaviours = await ensureBehaviours(tx, items);
  const written = await writeRuns(tx, items, behaviours);
  await writeParts(tx, written, tools);
  await changeCounters(
    tx,
    written.map(({ id, row }) => ({ ...row, id })),
    1,
  );
  await supersede(tx, written);
  const broken = written.map(({ arrival, agentId, releaseId, run: { agent, release, findings } }) => ({
    projectId: arrival.projectId,
    agentId,
    releaseId,
    agent,
    release,
    rules: findings.map(({ ruleId }) => ruleId),
  }));
  await writeAlerts(tx, alertsOfRules(broken), at);
  return eventsOf(written, at);
}

type Fresh = Pick<Item, "arrival" | "run">;

/** One of several equal ones, without those that are stored or were deleted. */
async function freshRuns(tx: Tx, evaluated: readonly EvaluatedArrival[]): Promise<readonly Fresh[]> {
  const byKey = new Map<string, Fresh>();
  for (const { arrival, runs } of evaluated) {
    for (const run of runs) {
      const key = `${arrival.projectId}/${hexOf(run.contentId)}`;
      if (!byKey.has(key)) byKey.set(key, { arrival, run });
    }
  }
  const known = new Set<string>();
  for (const table of ["runs", "tombstones"] as const) {
    for (const [projectId, some] of groupBy(byKey.values(), ({ arrival }) => arrival.projectId)) {
      await inChunks(some, async (chunk) => {
        const rows = await tx
          .selectFrom(table)
          .select("content_id")
          .where("project_id", "=", projectId)
          .where(
            "content_id",
            "in",
            chunk.map(({ run }) => run.contentId),
          )
          .execute();
        for (const row of rows) known.add(`${projectId}/${hexOf(row.content_id)}`);
      });
    }
  }
  return [...byKey].flatMap(([key, run]) => (known.has(key) ? [] : [run]));
}

async function withNames(tx: Tx, fresh: readonly Fresh[]): Promise<readonly Item[]> {
  const agents = await ensureAgents(tx, fresh);
  const withAgents = fresh.map((item) => ({ ...item, agentId: agents(item) }));
  const releases = await ensureReleases(tx, withAgents);
  return withAgents.map((item) => ({
    ...item,
    releaseId: releases(item),
    findings: distinctFindings(item.run.findings).length,
  }));
}

async function writeRuns(
  tx: Tx,
  items: readonly Item[],
  behaviours: (item: Item) => number,
): Promise<readonly WrittenItem[]> {
  const ids = new Map<string, number>();
  const rowed = items.map((item) => ({ ...item, row: runRow(item, behaviours(item)) }));
  await inChunks(
    rowed.map(({ row }) => row),
    async (chunk) => {
      const rows = await tx
        .insertInto("runs")
        .values(chunk)
        .onConflict((conflict) => conflict.columns(["project_id", "content_id"]).doNothing())
        .returning(["id", "project_id", "content_id"])
        .execute();
      for (const row of rows) ids.set(`${row.project_id}/${hexOf(row.content_id)}`, row.id);
    },
  );
  return rowed.flatMap((item) => {
    const id = ids.get(`${item.arrival.projectId}/${hexOf(item.run.contentId)}`);
    // Another writer stored the same run between the question and the insert.
    return id === undefined ? [] : [{ ...item, id }];
  });
}

function runRow({ arrival, run, agentId, releaseId, findings }: Item, behaviourId: number): RunRow {
  return {
    project_id: arrival.projectId,
    content_id: run.contentId,
    arrival_id: arrival.id,
    external_id: run.externalId ?? null,
    agent_id: agentId,
    release_id: releaseId,
    behaviour_id: behaviourId,
    scenario: run.scenario ?? null,
    trial: run.trial ?? null,
    name: run.name,
    format: run.format,
    model: run.model ?? null,
    status: run.status,
    stop_reason: run.stopReason ?? null,
    started_at: timeFigure(run.startedAt),
    duration_ms: figure(run.durationMs),
    received_at: arrival.receivedAt,
    turns: figure(run.turns),
    calls: figure(run.calls),
    errors: figure(run.errors),
    calls_without_result: figure(run.callsWithoutResult),
    replayed: figure(run.replayed),
    stand_ins: figure(run.standIns),
    unknown_records: figure(run.unknownRecords),
    input_tokens: figure(run.inputTokens),
    output_tokens: figure(run.outputTokens),
    cost_micro: figure(run.costMicro),
    structural: run.structural,
    verdict: run.verdict,
    similarity: run.similarity ?? null,
    findings,
    body_month: monthOf(arrival.receivedAt),
    superseded_by: null,
  };
}

/** What hangs on a run alone: nobody else waits for it. */
async function writeParts(
  tx: Tx,
  written: readonly WrittenItem[],
  tools: (projectId: number, name: string) => number,
): Promise<void> {
  await inChunks(
    written.map(({ id, arrival, run }) => ({
      body_month: monthOf(arrival.receivedAt),
      run_id: id,
      codec: run.body.codec,
      body: run.body.bytes,
    })),
    (chunk) => tx.insertInto("bodies").values(chunk).execute(),
  );
  await inChunks(
    written.flatMap(({ id, arrival, run }) =>
      toolsOf(run).map(({ name, calls, errors }) => ({
        project_id: arrival.projectId,
        tool_id: tools(arrival.projectId, name),
        run_id: id,
        calls: figure(calls),
        errors: figure(errors),
      })),
    ),
    (chunk) =>
      tx
        .insertInto("run_tools")
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  await inChunks(
    written.flatMap(({ id, run }) =>
      run.stages.map(({ stage, configHash, result }) => ({
        run_id: id,
        stage,
        config_hash: configHash,
        result: writeJson(result),
      })),
    ),
    (chunk) =>
      tx
        .insertInto("stage_results")
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
  await inChunks(
    written.flatMap(({ id, arrival, run }) =>
      distinctFindings(run.findings).map((finding) => findingRow(arrival.projectId, id, finding)),
    ),
    (chunk) =>
      tx
        .insertInto("findings")
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
  );
}

/** Tools of one name are one. */
function toolsOf(run: EvaluatedRun): EvaluatedRun["tools"] {
  const byName = new Map<string, EvaluatedRun["tools"][number]>();
  for (const tool of run.tools) {
    const key = cleanText(tool.name);
    const known = byName.get(key);
    byName.set(
      key,
      known ? { name: tool.name, calls: known.calls + tool.calls, errors: known.errors + tool.errors } : tool,
    );
  }
  return [...byName.values()];
}

/** One line per agent and per rule of a batch, with counts: whoever listens asks for the rest. */
function eventsOf(written: readonly WrittenItem[], at: number): readonly NewEvent[] {
  const events: NewEvent[] = [];
  for (const some of groupBy(written, ({ agentId }) => agentId).values()) {
    const [{ arrival, run }] = some as [WrittenItem, ...WrittenItem[]];
    const ids = some.map(({ id }) => id);
    const body = { agent: run.agent, runs: some.length, first: Math.min(...ids), last: Math.max(...ids) };
    events.push({ projectId: arrival.projectId, kind: "run", body, at });
    const byRule = groupBy(
      some.flatMap(({ id, run: { findings } }) => findings.map((finding) => ({ id, finding }))),
      ({ finding }) => finding.ruleId,
    );
    for (const [rule, found] of byRule) {
      const finding: Json = {
        agent: run.agent,
        rule,
        findings: found.length,
        last: Math.max(...found.map(({ id }) => id)),
      };
      events.push({ projectId: arrival.projectId, kind: "finding", body: finding, at });
    }
  }
  return events;
}
