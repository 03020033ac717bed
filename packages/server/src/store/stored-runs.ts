import type { Database } from "./engine/engine.ts";
import { given } from "./rows.ts";
import type { StoredRun } from "./run-shapes.ts";

/** Rows of runs with the names they refer to. What runs share (names, hashes) stands once, beside them. */
export function storedRuns(db: Database) {
  return db
    .selectFrom("runs")
    .innerJoin("agents", "agents.id", "runs.agent_id")
    .innerJoin("behaviours", "behaviours.id", "runs.behaviour_id")
    .innerJoin("arrivals", "arrivals.id", "runs.arrival_id")
    .leftJoin("releases", "releases.id", "runs.release_id")
    .selectAll("runs")
    .select([
      "agents.name as agent",
      "agents.noun",
      "behaviours.hash",
      "behaviours.hash_version",
      "behaviours.mode",
      "arrivals.content_id as arrival_content_id",
      "releases.name as release",
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof storedRuns>["executeTakeFirstOrThrow"]>>;

export function storedRunOf(row: Row): StoredRun {
  return {
    id: row.id,
    contentId: row.content_id,
    arrivalId: row.arrival_content_id,
    receivedAt: row.received_at,
    behaviourId: row.behaviour_id,
    ...given("supersededBy", row.superseded_by),
    findings: row.findings,
    ...given("externalId", row.external_id),
    agent: row.agent,
    ...given("noun", row.noun),
    ...given("release", row.release),
    ...given("scenario", row.scenario),
    ...given("trial", row.trial),
    name: row.name,
    format: row.format,
    ...given("model", row.model),
    status: row.status as StoredRun["status"],
    ...given("stopReason", row.stop_reason),
    ...given("startedAt", row.started_at),
    ...given("durationMs", row.duration_ms),
    turns: row.turns,
    calls: row.calls,
    errors: row.errors,
    callsWithoutResult: row.calls_without_result,
    replayed: row.replayed,
    standIns: row.stand_ins,
    unknownRecords: row.unknown_records,
    ...given("inputTokens", row.input_tokens),
    ...given("outputTokens", row.output_tokens),
    ...given("costMicro", row.cost_micro),
    hashVersion: row.hash_version,
    mode: row.mode,
    fingerprint: row.hash,
    structural: row.structural,
    verdict: row.verdict,
    ...given("similarity", row.similarity),
  };
}
