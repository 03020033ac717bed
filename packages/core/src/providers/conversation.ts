/**
 * Messages → records: the builder every transcript reader shares.
 *
 * A reader tells what was said, in order, and gets `.agentlog` records: for each model response a `chat_request` with the
 * messages so far and a `chat_response`, and a `tool_result` for each result. What the source does not have is left
 * out: no model, clock, usage, stop reason or latency is made up.
 *
 * Memory is linear: each request has a view of the one shared list of messages (core's message-list.ts).
 */

import { type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { addMessages } from "../trace/message-list.ts";
import { present } from "../trace/present.ts";
import type { TraceRecord } from "../trace/record.ts";
import { refusalRecord } from "../trace/refusal.ts";
import type { Clock } from "./clock.ts";
import { counted } from "./count-unknown.ts";

/** The agent whose conversation this is, when it is not the main one. */
export interface Lane {
  readonly agent?: string | undefined;
  /** The tool call that started it. */
  readonly parentCallId?: string | undefined;
}

export interface ModelResponse {
  readonly parts: readonly JsonObject[];
  readonly model?: string | undefined;
  /** The model that was asked for, where the source tells it apart from the one that answered. */
  readonly requestModel?: string | undefined;
  readonly stopReason?: string | undefined;
  readonly usage?: JsonObject | undefined;
  readonly latencyMs?: number | undefined;
  readonly clock?: Clock | undefined;
  /** When the request was sent, where the source knows it apart from the response. */
  readonly requestClock?: Clock | undefined;
  readonly tools?: readonly Json[] | undefined;
  readonly params?: JsonObject | undefined;
  /** When a call was made, where the source has it apart from the response. */
  readonly callClocks?: ReadonlyMap<string, Clock> | undefined;
  /** Its calls ran one after the other, as listed; otherwise a response that asks for several leaves their order open. */
  readonly sequential?: boolean | undefined;
  /** Further members of the response payload. */
  readonly extra?: JsonObject | undefined;
}

export interface ToolResult {
  /** Absent: the oldest call of the latest response that has no result yet. */
  readonly callId?: string | undefined;
  readonly output?: Json | undefined;
  readonly isError: boolean;
  /** The call never ran: somebody said no, and this is what the model was told. */
  readonly refused?: boolean | undefined;
  /** Error class or status, where the source names one. */
  readonly errorType?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Measured by the source; otherwise the time between call and result, when both have a clock; null when neither fits. */
  readonly latencyMs?: number | null | undefined;
}

/** One agent's conversation inside a trace. Sub-agents have their own, on the same list of records. */
export class Conversation {
  readonly records: TraceRecord[];
  private messages: Json[] = [];
  private readonly meta: JsonObject | undefined;
  private sequence: JsonObject | undefined;
  /** Calls that wait for a result, oldest first, with the time they were made. */
  private readonly open = new Map<string, Clock | undefined>();
  private responses = 0;
  private orphans = 0;

  constructor(records: TraceRecord[], lane: Lane = {}) {
    this.records = records;
    const meta = present({ agent: lane.agent, parent_tool_call_id: lane.parentCallId });
    this.meta = Object.keys(meta).length === 0 ? undefined : meta;
  }

  /** Something said to the model: a system, developer or user message in `.agentlog` shape. */
  say(role: string, content: Json | undefined): void {
    this.messages.push(content === undefined ? { role } : { role, content });
  }

  /** A message of the history, in `.agentlog` shape, that was not seen to happen: no record is made of it. */
  recall(message: JsonObject): void {
    this.messages.push(message);
  }

  /** Returns the payload, so that what a source tells later (usage, stop reason) can be added. */
  respond(response: ModelResponse): Record<string, Json> {
    const parts = this.nameCalls(response.parts);
    const { model, tools, params, clock } = response;
    const request: Record<string, Json> = {};
    const asked = response.requestModel ?? model;
    if (asked !== undefined) request["model"] = asked;
    if (tools !== undefined) request["tools"] = tools;
    if (params !== undefined) request["params"] = params;
    this.push("chat_request", response.requestClock ?? clock, addMessages(request, this.messages));
    const payload = responsePayload(response, parts);
    this.push("chat_response", clock, payload, response.sequential === true ? this.metaOfSequence() : this.meta);
    this.messages.push({ role: "assistant", content: parts });
    for (const part of parts) {
      const id = member(part, "type") === "tool_use" ? stringMember(part, "id") : undefined;
      if (id !== undefined) this.open.set(id, response.callClocks?.get(id) ?? clock);
    }
    this.responses++;
    return payload;
  }

  /** A call that no response of the source shows: a record of its own. */
  call(id: string, name: string, input: Json | undefined, clock: Clock | undefined): void {
    this.push("tool_call", clock, present({ tool_name: name, tool_call_id: id, arguments: input }));
    this.open.set(id, clock);
  }

  result(result: ToolResult): void {
    const callId = result.callId ?? this.open.keys().next().value;
    const calledAt = callId === undefined ? undefined : this.open.get(callId);
    if (callId === undefined || !this.open.delete(callId)) this.orphans++;
    const { output, isError, clock } = result;
    const latency = result.latencyMs === null ? undefined : (duration(result.latencyMs) ?? elapsed(calledAt, clock));
    const payload: Record<string, Json> = {};
    if (callId !== undefined) payload["tool_call_id"] = callId;
    if (output !== undefined) payload["output"] = output;
    payload["is_error"] = isError;
    if (result.errorType !== undefined) payload["error_type"] = result.errorType;
    if (latency !== undefined) payload["latency_ms"] = latency;
    this.push("tool_result", clock, payload);
    if (result.refused === true && callId !== undefined) this.records.push(refusalRecord(callId));
    this.messages.push(toolMessage({ callId, output, isError }));
  }

  get hasResponses(): boolean {
    return this.responses > 0;
  }

  /** A remark about results whose call is not in the file; they are kept as records, but belong to no turn. */
  notes(): string[] {
    return this.orphans === 0 ? [] : [`${counted(this.orphans, "tool result")} without a call in this trace`];
  }

  /** Forgets the history, as compaction does: later requests begin anew. */
  restart(clock?: Clock): void {
    // Earlier requests go on slicing the old list, so the new history needs its own.
    this.messages = [];
    const event = { category: "context_trim", name: "compaction", severity: "info" };
    this.push("harness_event", clock, event);
  }

  /** Every shape of a record is written out: a member added later gets storage of its own, which a long trace pays for in memory. */
  private push(kind: string, clock: Clock | undefined, payload: Json, meta = this.meta): void {
    const ts = clock?.iso;
    if (ts === undefined) this.records.push(meta === undefined ? { kind, payload } : { kind, payload, meta });
    else this.records.push(meta === undefined ? { kind, payload, ts } : { kind, payload, ts, meta });
  }

  /** One for all responses whose calls ran in order. */
  private metaOfSequence(): JsonObject {
    this.sequence ??= { ...this.meta, sequential: true };
    return this.sequence;
  }

  /** A call without an id gets one from its place, because a result can only be joined to a call by an id. */
  private nameCalls(parts: readonly JsonObject[]): readonly JsonObject[] {
    if (parts.every(isNamed)) return parts;
    return parts.map((part, index) => (isNamed(part) ? part : { ...part, id: `call-${this.responses}-${index}` }));
  }
}

function isNamed(part: JsonObject): boolean {
  return member(part, "type") !== "tool_use" || !!stringMember(part, "id");
}

/** A response as the payload of its record. */
export function responsePayload(response: ModelResponse, parts = response.parts): Record<string, Json> {
  const payload: Record<string, Json> = {};
  if (response.model !== undefined) payload["model"] = response.model;
  payload["content"] = parts;
  if (response.stopReason !== undefined) payload["stop_reason"] = response.stopReason;
  if (response.usage !== undefined) payload["usage"] = response.usage;
  const latency = duration(response.latencyMs);
  if (latency !== undefined) payload["latency_ms"] = latency;
  return response.extra === undefined ? payload : present({ ...payload, ...response.extra });
}

/** A tool's result as a message of the history. */
export function toolMessage(result: Pick<ToolResult, "callId" | "output" | "isError">): JsonObject {
  const message: Record<string, Json> = { role: "tool" };
  if (result.callId !== undefined) message["tool_call_id"] = result.callId;
  if (result.output !== undefined) message["content"] = result.output;
  if (result.isError) message["is_error"] = true;
  return message;
}

/** The first record of a trace. `agent`, `task_id`, `trial` and `labels` stand in its payload. */
export function metadataRecord(traceId: string | undefined, payload: JsonFields, clock?: Clock): TraceRecord {
  const meta = traceId === undefined || traceId === "" ? {} : { meta: { trace_id: traceId } };
  return { kind: "metadata", ...timeOf(clock), ...meta, payload: present(payload) };
}

/** Something the harness did: a retry, a cut of the history, a refused permission. */
export function eventRecord(event: JsonFields, clock?: Clock): TraceRecord {
  return { kind: "harness_event", ...timeOf(clock), payload: present(event) };
}

/** A run or a call of the model that ended in an error instead of a response. */
export function errorRecord(error: JsonFields, clock?: Clock): TraceRecord {
  return { kind: "error", ...timeOf(clock), payload: present(error) };
}

export type JsonFields = Readonly<Record<string, Json | undefined>>;

function timeOf(clock: Clock | undefined): { ts?: string } {
  return clock === undefined ? {} : { ts: clock.iso };
}

/** A source may write anything; a negative time is none. */
function duration(ms: number | undefined): number | undefined {
  return ms === undefined || !Number.isFinite(ms) || ms < 0 ? undefined : ms;
}

/** Milliseconds between two clocks; absent when one is missing or time went backwards. */
export function elapsed(from: Clock | undefined, to: Clock | undefined): number | undefined {
  if (from === undefined || to === undefined || to.ms < from.ms) return undefined;
  return Math.round((to.ms - from.ms) * 1000) / 1000;
}
