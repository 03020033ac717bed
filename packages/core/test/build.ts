/** Builders for traces in tests: say only what matters. */
import { buildTrace } from "../src/trace/build-trace.ts";
import type { Json, JsonObject } from "../src/trace/json.ts";
import type { TraceRecord } from "../src/trace/record.ts";
import type { Trace } from "../src/trace/trace.ts";

export interface CallSpec {
  readonly name: string;
  readonly input?: Json;
  readonly id?: string;
  readonly output?: Json;
  readonly failed?: boolean;
  readonly durationMs?: number;
}

export interface TurnSpec {
  readonly user?: string;
  readonly text?: string;
  readonly calls?: readonly (string | CallSpec)[];
  readonly stop?: string;
  readonly model?: string;
  readonly usage?: JsonObject;
  readonly latencyMs?: number;
}

/** A tool name, or a call with arguments and result. */
function callSpec(call: string | CallSpec): CallSpec {
  return typeof call === "string" ? { name: call, input: {} } : call;
}

/** Records of a conversation: one request and response per turn, results as records. */
export function recordsOf(
  turns: readonly TurnSpec[],
  metadata: JsonObject = { sdk: { name: "test", version: "0" } },
): TraceRecord[] {
  const records: TraceRecord[] = [{ kind: "metadata", payload: metadata }];
  const messages: Json[] = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.user !== undefined) messages.push({ role: "user", content: turn.user });
    const calls = (turn.calls ?? [])
      .map(callSpec)
      .map((call, at) => ({ id: call.id ?? `call-${index}-${at}`, ...call }));
    records.push({
      kind: "chat_request",
      payload: { model: turn.model ?? "model-a", messages: [...messages], params: {} },
    });
    const content: Json[] = turn.text === undefined ? [] : [{ type: "text", text: turn.text }];
    for (const call of calls) {
      content.push({
        type: "tool_use",
        id: call.id,
        name: call.name,
        ...(call.input === undefined ? {} : { input: call.input }),
      });
    }
    records.push({
      kind: "chat_response",
      payload: {
        model: turn.model ?? "model-a",
        content,
        stop_reason: turn.stop ?? (calls.length > 0 ? "tool_use" : "end_turn"),
        ...(turn.usage === undefined ? {} : { usage: turn.usage }),
        ...(turn.latencyMs === undefined ? {} : { latency_ms: turn.latencyMs }),
      },
    });
    messages.push({ role: "assistant", content });
    for (const call of calls) {
      if (call.output === undefined && call.failed === undefined) continue;
      records.push({
        kind: "tool_result",
        payload: {
          tool_call_id: call.id,
          output: call.output ?? "",
          is_error: call.failed ?? false,
          ...(call.durationMs === undefined ? {} : { latency_ms: call.durationMs }),
        },
      });
      messages.push({ role: "tool", tool_call_id: call.id, content: call.output ?? "" });
    }
  }
  return records;
}

export function traceOf(turns: readonly TurnSpec[], metadata?: JsonObject): Trace {
  return buildTrace(recordsOf(turns, metadata));
}
