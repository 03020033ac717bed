/**
 * AgentV output messages: the wire shape in which eval providers return what an agent did, and the way from it to
 * records and back. One bad member never costs the rest: it is reported with its place, everything else is kept.
 */
import type { Json, JsonObject, Trace, TraceRecord } from "@spoor/core";
import { present } from "@spoor/core/present";
import { toolUse } from "@spoor/core/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/providers/clock";
import { Conversation, elapsed, metadataRecord } from "@spoor/core/providers/conversation";
import { buildTrace } from "@spoor/core/trace/build-trace";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";

/** One tool call, in the wire's own spelling: these objects are written to result files as they are. */
export type OutputToolCall = {
  readonly tool: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly id?: string;
  readonly timestamp?: string;
  readonly duration_ms?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  /** ok, error, timeout, cancelled or unknown. */
  readonly status?: string;
  readonly metadata?: Json;
};

export type OutputMessage = {
  readonly role: string;
  readonly name?: string;
  readonly content?: Json;
  readonly tool_calls?: readonly OutputToolCall[];
  readonly timestamp?: string;
  readonly duration_ms?: number;
  readonly start_time?: string;
  readonly end_time?: string;
  readonly token_usage?: Json;
  readonly model?: string;
  readonly metadata?: Json;
};

/** Told about each member that could not be used: where it stands and what is wrong with it. */
export type ReportProblem = (path: string, message: string) => void;

export function parseOutputMessages(list: Json, path: string, report: ReportProblem): OutputMessage[] {
  if (!Array.isArray(list)) {
    report(path, "is not a list of messages");
    return [];
  }
  return list.flatMap((message, index) => parseMessage(message, `${path}[${index}]`, report));
}

function parseMessage(message: Json, path: string, report: ReportProblem): OutputMessage[] {
  if (!isObject(message)) {
    report(path, "is not a message: it is no object");
    return [];
  }
  const role = stringMember(message, "role");
  if (role === undefined) report(path, "has no role; read as assistant");
  const calls = either(message, "tool_calls", "toolCalls");
  const parsed = present({
    role: role ?? "assistant",
    name: stringMember(message, "name"),
    content: member(message, "content"),
    tool_calls: calls === undefined || calls === null ? undefined : parseCalls(calls, `${path}.tool_calls`, report),
    timestamp: textOf(message, path, report, "timestamp"),
    duration_ms: durationOf(message, path, report),
    start_time: textOf(message, path, report, "start_time", "startTime"),
    end_time: textOf(message, path, report, "end_time", "endTime"),
    token_usage: either(message, "token_usage", "tokenUsage"),
    model: stringMember(message, "model"),
    metadata: member(message, "metadata"),
  });
  return [parsed];
}

function parseCalls(calls: Json, path: string, report: ReportProblem): OutputToolCall[] {
  if (!Array.isArray(calls)) {
    report(path, "is not a list of tool calls");
    return [];
  }
  return calls.flatMap((call, index) => parseCall(call, `${path}[${index}]`, report));
}

function parseCall(call: Json, path: string, report: ReportProblem): OutputToolCall[] {
  if (!isObject(call)) {
    report(path, "is not a tool call: it is no object");
    return [];
  }
  const fn = member(call, "function");
  const tool = member(call, "tool") ?? member(call, "name") ?? member(fn, "name");
  if (typeof tool !== "string" || tool === "") {
    report(path, 'is not a tool call: it has no text "tool"');
    return [];
  }
  if (member(call, "tool") === undefined) report(path, `names its tool "${tool}" under another key than "tool"`);
  const status = stringMember(call, "status");
  return [
    present({
      tool,
      input: member(call, "input") ?? member(call, "args") ?? member(call, "arguments") ?? member(fn, "arguments"),
      output: member(call, "output"),
      id: stringMember(call, "id"),
      timestamp: textOf(call, path, report, "timestamp"),
      duration_ms: durationOf(call, path, report),
      start_time: textOf(call, path, report, "start_time", "startTime"),
      end_time: textOf(call, path, report, "end_time", "endTime"),
      status,
      metadata: member(call, "metadata"),
    }),
  ];
}

function durationOf(value: JsonObject, path: string, report: ReportProblem): number | undefined {
  const raw = either(value, "duration_ms", "durationMs");
  if (raw === undefined) return undefined;
  if (typeof raw === "number" && Number.isFinite(raw) && raw >= 0) return raw;
  report(`${path}.duration_ms`, "is not a number of milliseconds; read as unknown");
  return undefined;
}

function textOf(value: JsonObject, path: string, report: ReportProblem, ...keys: string[]): string | undefined {
  const raw = either(value, ...keys);
  if (raw === undefined || typeof raw === "string") return raw;
  report(`${path}.${keys[0]}`, "is not a text; left out");
  return undefined;
}

function either(value: JsonObject, ...keys: string[]): Json | undefined {
  for (const key of keys) {
    const found = member(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a run was asked and by whom it was answered, for the trace's first records. */
export interface RunInfo {
  readonly traceId?: string | undefined;
  readonly agent?: string | undefined;
  /** The eval case, so that runs of the same case can be paired. */
  readonly caseId?: string | undefined;
  readonly input?: readonly { readonly role: string; readonly content: Json }[];
}

/** Messages → records: one turn per message that speaks or calls. */
export function recordsOfMessages(messages: readonly OutputMessage[], info: RunInfo = {}): TraceRecord[] {
  const records = [metadataRecord(info.traceId, { agent: info.agent, task_id: info.caseId })];
  const conversation = new Conversation(records);
  for (const { role, content } of info.input ?? []) conversation.say(role, content);
  for (const [index, message] of messages.entries()) addMessage(conversation, message, index);
  return records;
}

/** The same as a trace that every lens can read. */
export function traceOfMessages(messages: readonly OutputMessage[], info: RunInfo = {}): Trace {
  return buildTrace(recordsOfMessages(messages, info), { source: { format: "agentv" } });
}

function addMessage(conversation: Conversation, message: OutputMessage, index: number): void {
  const calls = message.tool_calls ?? [];
  if (message.role !== "assistant" && calls.length === 0) {
    conversation.say(message.role, message.content);
    return;
  }
  const named = calls.map((call, position) => ({ id: call.id ?? `call-${index}-${position}`, call }));
  const clock = clockOf(message);
  conversation.respond({
    parts: [...textParts(message.content), ...named.map(({ id, call }) => toolUse(id, call.tool, call.input))],
    model: message.model,
    stopReason: calls.length > 0 ? "tool_use" : "end_turn",
    usage: usageOf(message.token_usage),
    latencyMs: message.duration_ms ?? elapsed(parseClock(message.start_time), parseClock(message.end_time)),
    clock,
  });
  for (const { id, call } of named) addResult(conversation, id, call);
}

function addResult(conversation: Conversation, callId: string, call: OutputToolCall): void {
  const latencyMs = call.duration_ms ?? elapsed(parseClock(call.start_time), parseClock(call.end_time));
  const ended = call.output !== undefined || latencyMs !== undefined || call.status !== undefined;
  if (!ended || call.status === "unknown") return;
  conversation.result({
    callId,
    output: call.output,
    isError: call.status === "error" || call.status === "timeout" || call.status === "cancelled",
    errorType: call.status === "timeout" || call.status === "cancelled" ? call.status : undefined,
    clock: parseClock(call.end_time),
    latencyMs,
  });
}

function clockOf(message: OutputMessage): Clock | undefined {
  return parseClock(message.start_time) ?? parseClock(message.timestamp);
}

/** Text stays text; structured content is kept as the JSON text a reader would see. */
function textParts(content: Json | undefined): JsonObject[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (Array.isArray(content) && content.every((part) => typeof member(part, "type") === "string")) {
    return content.map((part) => {
      const text =
        member(part, "type") === "text" ? (stringMember(part, "text") ?? stringMember(part, "value")) : undefined;
      return text === undefined ? (part as JsonObject) : { type: "text", text };
    });
  }
  return [{ type: "text", text: contentText(content) }];
}

function usageOf(usage: Json | undefined): JsonObject | undefined {
  if (!isObject(usage)) return undefined;
  return present({
    input_tokens: numberMember(usage, "input") ?? numberMember(usage, "input_tokens"),
    output_tokens: numberMember(usage, "output") ?? numberMember(usage, "output_tokens"),
    cached_input_tokens: numberMember(usage, "cached") ?? numberMember(usage, "cached_input_tokens"),
  });
}

/** Content as the text a person reads: text as it is, texts of parts joined, everything else as JSON. */
export function contentText(content: Json | undefined): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content) && content.length > 0 && content.every(isTextPart)) {
    return content
      .map((part) => (typeof part === "string" ? part : (stringMember(part, "text") ?? stringMember(part, "value"))!))
      .join("\n");
  }
  return JSON.stringify(content, (_key, value) => (typeof value === "bigint" ? String(value) : value));
}

function isTextPart(part: Json): boolean {
  if (typeof part === "string") return true;
  return member(part, "type") === "text" && (stringMember(part, "text") ?? stringMember(part, "value")) !== undefined;
}

/** What the agent finally said: the content of the last assistant message that has any. */
export function candidateAnswer(messages: readonly OutputMessage[]): string {
  for (let index = messages.length - 1; index >= 0; index--) {
    const { role, content } = messages[index]!;
    if (role === "assistant" && content !== undefined && content !== null && content !== "")
      return contentText(content);
  }
  return "";
}

/** A trace of any format as output messages: what a replayed recording would have returned. */
export function messagesOfTrace(trace: Trace): OutputMessage[] {
  return trace.turns.map((turn) => {
    const { text } = turn;
    const calls = turn.toolCalls.map((call) =>
      present({
        tool: call.name,
        input: call.input,
        output: call.output,
        id: call.id,
        timestamp: call.startedAt,
        duration_ms: call.durationMs,
        status: call.status,
      }),
    );
    return present({
      role: "assistant",
      name: turn.agent,
      content: text === "" ? undefined : text,
      tool_calls: calls.length === 0 ? undefined : calls,
      timestamp: turn.ts,
      duration_ms: turn.durationMs,
    }) as OutputMessage;
  });
}
