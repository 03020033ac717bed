/**
 * What telemetry says an agent did, before it becomes records: a tree of model calls, tool runs, agents and steps. Spans
 * (OpenTelemetry), observations (Langfuse), runs (LangSmith) and SDK spans (OpenAI Agents) all become activities first.
 */
import type { Json, JsonObject } from "@spoor/core";
import type { ChatReply } from "@spoor/core/internal/providers/chat-reply";
import type { ChatRequest } from "@spoor/core/internal/providers/chat-shapes";

export interface Activity {
  readonly id: string;
  readonly parentId?: string | undefined;
  /** Nanoseconds since 1970: a double cannot order these. */
  readonly start?: bigint | undefined;
  readonly end?: bigint | undefined;
  readonly failure?: Failure | undefined;
  /** The source says that it went well, which matters when nothing else says that it ended. */
  readonly succeeded?: boolean | undefined;
  /** Measured duration, for sources without clocks. */
  readonly durationMs?: number | undefined;
  /** Place in the order of things, for sources that know it better than clocks do. */
  readonly sequence?: number | undefined;
  /** Of a model call: the calls it asks for ran one after the other, as listed. */
  readonly sequential?: boolean | undefined;
  readonly did: Did;
}

export interface Failure {
  readonly message?: string | undefined;
  /** Error class, type or status code. */
  readonly kind?: string | undefined;
}

export type Did = ModelCall | ToolRun | AgentRun | StepDone | Around;

export interface ModelCall {
  readonly kind: "model";
  readonly request: ChatRequest;
  readonly reply?: ChatReply | undefined;
  /** Model asked for, and the one that answered. */
  readonly requestModel?: string | undefined;
  readonly responseModel?: string | undefined;
  readonly params?: JsonObject | undefined;
  readonly tools?: readonly Json[] | undefined;
  readonly usage?: JsonObject | undefined;
  readonly stopReason?: string | undefined;
}

export interface ToolRun {
  readonly kind: "tool";
  readonly name: string;
  readonly callId?: string | undefined;
  readonly input?: Json | undefined;
  readonly output?: Json | undefined;
  /** A span of the wire (MCP): below another tool run it is the same run seen from the transport. */
  readonly transport?: true | undefined;
}

export interface AgentRun {
  readonly kind: "agent";
  readonly name: string;
}

/** Something done that is neither a model nor a tool call: retrieval, embedding, memory. */
export interface StepDone {
  readonly kind: "step";
  readonly name: string;
  /** `step` and `http_request` become steps of the trace; other categories are kept as events. */
  readonly category: string;
  readonly attributes?: JsonObject | undefined;
}

/** Structure only: a chain, a workflow, a transport. */
export interface Around {
  readonly kind: "around";
}

export const AROUND: Around = { kind: "around" };

/** Milliseconds between the clocks of an activity, to the microsecond; absent without both, or when time ran backwards. */
export function durationMs(activity: Activity): number | undefined {
  const { start, end } = activity;
  if (activity.durationMs !== undefined) return activity.durationMs;
  if (start === undefined || end === undefined || end < start) return undefined;
  return Number((end - start + 500n) / 1000n) / 1000;
}

/** Nanoseconds as RFC 3339 UTC; undefined outside the years a date can be written in. */
export function isoOfNanos(nanos: bigint | undefined): string | undefined {
  if (nanos === undefined || nanos <= 0n || nanos > 253_402_300_799_999_000_000n) return undefined;
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}

/** A clock of milliseconds (with its fraction, to the microsecond) as nanoseconds. */
export function nanosOfMs(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
