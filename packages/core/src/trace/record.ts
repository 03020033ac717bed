import type { Json, JsonObject } from "./json.ts";

/** The record kinds of the `.agentlog` format. Others are kept and counted. */
export const recordKinds = [
  "metadata",
  "chat_request",
  "chat_request_delta",
  "chat_response",
  "tool_call",
  "tool_result",
  "error",
  "replay_summary",
  "chunk",
  "harness_event",
  "blob_ref",
] as const;
/** The version of the records that are written, and the newest whose meaning is known. */
export const RECORD_VERSION = "0.1";

export type RecordKind = (typeof recordKinds)[number];

/**
 * One line of a trace. Records read from `.agentlog` carry every envelope field; records made by an importer leave out
 * what their source did not have: no invented clock, and content ids only when they are written.
 *
 * Meta keys that Spoor itself understands: `trace_id`, `scenario_id`, `session_tag`, `redacted`, `parent_span_id`,
 * `agent` (name of the agent or sub-agent that acted), `parent_tool_call_id` (the call that started that sub-agent),
 * `parallel_group`, of a response `sequential` (its calls ran one after the other, as listed) and `complete` (false: it broke off),
 * and of a `tool_result` `evidence`, `stand_in` and `replayed_from` (how the result is known; replay-marks.ts).
 *
 * What recorders write beside it, for people and for replays: `placed_by` and `fork` (why a request stands where it does), `headers`,
 * `wire` (the API, and what its answer said beside the payload), `not_understood`, `latency_at_most_ms`, `sent_output`, `part`.
 */
export interface TraceRecord {
  readonly kind: string;
  readonly payload: Json;
  readonly version?: string;
  readonly id?: string;
  /** RFC 3339 UTC; absent or empty when the source had no clock. */
  readonly ts?: string;
  readonly parent?: string | null;
  readonly meta?: JsonObject | null;
}
