/** Turns, calls, failed requests and harness events → the flat list of steps that fingerprints read. */

import { amountMember, type Json, member, nameMember, stringMember } from "./json.ts";
import { present } from "./present.ts";
import type { TraceRecord } from "./record.ts";
import type { Step, ToolCall, Turn } from "./trace.ts";

/** What was done, in order → steps. A call becomes one only now, because its result may arrive long after it. */
export function stepsOf(order: readonly (Turn | ToolCall | Step)[]): Step[] {
  return order.map((done) => ("kind" in done ? done : "request" in done ? stepOfTurn(done) : stepOfCall(done)));
}

type OpenStep = { -readonly [K in keyof Step]: Step[K] };

function stepOfTurn(turn: Turn): Step {
  const inputTokens = turn.usage?.inputTokens;
  const outputTokens = turn.usage?.outputTokens;
  const failed = turn.stopReason === "error";
  const kind = failed ? errorKind(turn.response) : undefined;
  const step: OpenStep = {
    kind: "llm",
    target: turn.model || turn.requestedModel || "",
    status: failed ? "error" : "ok",
    turnIndex: turn.index,
  };
  if (kind !== undefined) step.errorKind = kind;
  if (turn.durationMs !== undefined) step.durationMs = turn.durationMs;
  if (inputTokens !== undefined) step.inputTokens = inputTokens;
  if (outputTokens !== undefined) step.outputTokens = outputTokens;
  if (turn.agent !== undefined) step.agent = turn.agent;
  return step;
}

/** A request that ended in an error: the agent called the model, and no turn came of it. */
export function stepOfFailure(error: TraceRecord, request: TraceRecord, turnIndex: number): Step {
  const code = stringMember(error.payload, "code");
  return present({
    kind: "llm" as const,
    target: stringMember(request.payload, "model") ?? "",
    status: "error" as const,
    turnIndex,
    errorKind: code || errorKind(error.payload),
    durationMs: amountMember(error.payload, "latency_ms"),
    agent: nameMember((error.meta ?? request.meta) || undefined, "agent"),
    withoutResponse: true as const,
  });
}

function stepOfCall(call: ToolCall): Step {
  const step: OpenStep = {
    kind: "tool",
    target: call.name,
    status: call.status,
    turnIndex: call.turnIndex,
    call,
  };
  if (call.error?.kind !== undefined) step.errorKind = call.error.kind;
  if (call.durationMs !== undefined) step.durationMs = call.durationMs;
  if (call.parallelGroup !== undefined) step.parallelGroup = call.parallelGroup;
  if (call.agent !== undefined) step.agent = call.agent;
  return step;
}

/** Steps that are neither model nor tool calls travel as harness events of category `http_request` or `step`; without a name they tell nothing. */
export function stepOfEvent(record: TraceRecord, turnIndex: number): Step | undefined {
  const category = member(record.payload, "category");
  if (category !== "http_request" && category !== "step") return undefined;
  const target = nameMember(record.payload, "name");
  if (target === undefined) return undefined;
  const attributes = member(record.payload, "attributes");
  const severity = member(record.payload, "severity");
  return present({
    kind: category === "step" ? ("other" as const) : ("http" as const),
    target,
    status: severity === "error" || severity === "fatal" ? ("error" as const) : ("ok" as const),
    turnIndex,
    errorKind: errorKind(attributes),
    durationMs: amountMember(attributes, "latency_ms"),
    parallelGroup: stringMember(record.meta ?? undefined, "parallel_group"),
    agent: nameMember(record.meta ?? undefined, "agent"),
  });
}

/** Error class, type or status code, when the source names one. */
export function errorKind(payload: Json | undefined): string | undefined {
  const kind = member(payload, "error_type") ?? member(payload, "error_kind") ?? member(payload, "status_code");
  if (typeof kind === "string" && kind !== "") return kind;
  return typeof kind === "number" ? String(kind) : undefined;
}
