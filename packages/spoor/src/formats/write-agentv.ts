/**
 * Traces as AgentV JSONL: one line per trace with `output_messages`. Each turn is an assistant message with its calls,
 * their inputs, outputs, statuses and durations. AgentV has no place for the conversation that was sent to the model;
 * what users and the system newly said stands before each turn. Model, stop reason and sub-agent go into `metadata`,
 * which AgentV leaves alone. HTTP and other steps have no counterpart and are left out.
 */
import type { Json, JsonObject, ToolCall, Trace, Turn, Usage } from "@spoor/core";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";

export function writeAgentv(traces: readonly Trace[]): string {
  return traces.map((trace) => `${stringifyJson(agentvRecord(trace))}\n`).join("");
}

function agentvRecord(trace: Trace): JsonObject {
  const id = trace.id === "" ? undefined : trace.id;
  const error = trace.records.find((record) => record.kind === "error")?.payload;
  return present({
    eval_id: trace.scenario ?? id,
    target: trace.agent,
    output_messages: outputMessages(trace),
    error: stringMember(error, "message"),
    metadata: id === undefined ? undefined : { trace_id: id },
  });
}

/** `withAsked: false` leaves out what users and the system said: where the input stands elsewhere, as in a result. */
export function outputMessages(trace: Trace, { withAsked = true } = {}): JsonObject[] {
  const messages: JsonObject[] = [];
  const early = trace.toolCalls.filter((call) => call.turnIndex < 0);
  if (early.length > 0) messages.push(standaloneMessage(early));
  const told = new Map<string, number>();
  for (const turn of trace.turns) {
    messages.push(...(withAsked ? newlySaid(turn, told) : []), turnMessage(turn));
    const alone = turn.toolCalls.filter((call) => call.standalone);
    if (alone.length > 0) messages.push(standaloneMessage(alone));
  }
  return messages;
}

/** What users and the system said since this agent's last turn. */
function newlySaid(turn: Turn, told: Map<string, number>): JsonObject[] {
  const { messages } = turn;
  if (messages === undefined) return [];
  const lane = JSON.stringify([turn.agent, turn.parentCallId]);
  const before = told.get(lane) ?? 0;
  told.set(lane, messages.length);
  const fresh = messages.slice(before);
  const metadata = laneOf(turn);
  return fresh.filter(isObject).flatMap((message) => {
    const role = stringMember(message, "role");
    if (role !== "user" && role !== "system") return [];
    return [present({ role, content: member(message, "content"), metadata: orNothing(metadata) })];
  });
}

function laneOf(turn: Turn): JsonObject {
  return present({ agent: turn.agent, parent_tool_call_id: turn.parentCallId });
}

function orNothing(metadata: JsonObject): JsonObject | undefined {
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

function turnMessage(turn: Turn): JsonObject {
  const parts = turn.parts.filter((part) => part["type"] !== "tool_use");
  const calls = turn.toolCalls.filter((call) => !call.standalone);
  const isSequential = calls.every((call) => call.parallelGroup === undefined);
  const metadata = present({
    model: turn.model ?? turn.requestedModel,
    stop_reason: turn.stopReason,
    // Said where a reader could not tell, or would conclude otherwise from the times.
    sequential:
      calls.length > 1 && (isSequential || calls.some(({ startedAt }) => startedAt)) ? isSequential : undefined,
    ...laneOf(turn),
  });
  return present({
    role: "assistant",
    content: contentOf(parts),
    tool_calls: calls.length === 0 ? undefined : calls.map(wireCall),
    timestamp: turn.ts,
    duration_ms: turn.durationMs,
    token_usage: tokenUsage(turn.usage),
    metadata: orNothing(metadata),
  });
}

/** A lone text as text; everything else as the parts it has. */
function contentOf(parts: readonly JsonObject[]): Json | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const text = parts.length === 1 && first["type"] === "text" ? stringMember(first, "text") : undefined;
  return text ?? parts;
}

function standaloneMessage(calls: readonly ToolCall[]): JsonObject {
  return { role: "tool", tool_calls: calls.map(wireCall) };
}

function wireCall(call: ToolCall): JsonObject {
  const kind = call.error?.kind;
  return present({
    tool: call.name,
    input: call.input === undefined ? undefined : unambiguous(call.input),
    output: call.output,
    id: call.id,
    timestamp: call.startedAt,
    duration_ms: call.durationMs,
    status: call.status,
    metadata: kind === undefined ? undefined : { error_kind: kind },
  });
}

/** Arguments that are JSON text are read as JSON: a text that only looks like it is quoted once more. */
function unambiguous(input: Json): Json {
  const looksLikeJson = typeof input === "string" && (input === "" || parseJsonText(input) !== undefined);
  return looksLikeJson ? stringifyJson(input) : input;
}

function tokenUsage(usage: Usage | undefined): JsonObject | undefined {
  const counts = present({
    input: usage?.inputTokens,
    output: usage?.outputTokens,
    cached: usage?.cachedInputTokens,
    reasoning: usage?.thinkingTokens,
  });
  return orNothing(counts);
}
