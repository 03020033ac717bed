/**
 * AgentV's output messages → records: the one reader of that shape, whether a file holds it or a provider just returned
 * it. Calls count whatever role their message has: those of an assistant are what its response asked for, others stand
 * alone. Nothing is concluded that was not written, and what Spoor's own writer put into `metadata` is taken up again.
 * One bad member never costs the rest: it is reported with its place, everything else is kept.
 */

import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { parseParts } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed } from "@spoor/core/internal/providers/conversation";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { parseCallShape } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { contentText } from "./content-text.ts";

/** Adds the records of `list`, which stands at `path` of its document, to `records`. */
export function addMessageRecords(list: Json, path: string, records: TraceRecord[], unknown: UnknownCounter): void {
  if (!Array.isArray(list)) {
    unknown.problem(path, "is not a list of messages");
    return;
  }
  const reader = new MessageReader(records, unknown);
  for (const [index, message] of list.entries()) reader.read(message, `${path}[${index}]`);
}

class MessageReader {
  private readonly records: TraceRecord[];
  private readonly unknown: UnknownCounter;
  /** One per agent: the main one and each sub-agent a call started. */
  private readonly conversations = new Map<string, Conversation>();
  /** The main one, which nearly all messages belong to. */
  private main: Conversation | undefined;
  private unnamedCalls = 0;

  constructor(records: TraceRecord[], unknown: UnknownCounter) {
    this.records = records;
    this.unknown = unknown;
  }

  read(message: Json, path: string): void {
    if (!isObject(message)) {
      this.unknown.problem(path, "is not a message: it is no object");
      return;
    }
    const role = stringMember(message, "role");
    if (role === undefined) this.unknown.problem(path, "has no role; read as assistant");
    const metadata = member(message, "metadata");
    const agent = stringMember(metadata, "agent");
    const conversation = this.conversationOf(agent, stringMember(metadata, "parent_tool_call_id"));
    const calls = this.callsOf(message, path);
    const isResponse = (role ?? "assistant") === "assistant";
    if (isResponse) this.respond(conversation, message, path, calls);
    else if (calls.length === 0) tell(conversation, role!, message);
    for (const call of calls) {
      if (!isResponse || call.startedAt !== undefined) this.records.push(callRecord(call, !isResponse, agent));
      if (call.result !== undefined) conversation.result(call.result);
    }
  }

  private conversationOf(agent: string | undefined, parentCallId: string | undefined): Conversation {
    if (agent === undefined && parentCallId === undefined) {
      this.main ??= new Conversation(this.records);
      return this.main;
    }
    const key = JSON.stringify([agent, parentCallId]);
    const known = this.conversations.get(key) ?? new Conversation(this.records, { agent, parentCallId });
    this.conversations.set(key, known);
    return known;
  }

  private respond(conversation: Conversation, message: JsonObject, path: string, calls: readonly Call[]): void {
    const metadata = member(message, "metadata");
    const start = this.clockOf(message, path, "start_time", "startTime") ?? this.clockOf(message, path, "timestamp");
    const end = this.clockOf(message, path, "end_time", "endTime");
    conversation.respond({
      parts: this.partsOf(member(message, "content")).concat(calls.map(usePart)),
      model: stringMember(message, "model") ?? stringMember(metadata, "model"),
      stopReason: stringMember(metadata, "stop_reason"),
      usage: agentvUsage(either(message, "token_usage", "tokenUsage")),
      latencyMs: this.durationOf(message, path) ?? elapsed(start, end),
      clock: end ?? start,
      requestClock: start,
      sequential: calls.length > 1 && (booleanMember(metadata, "sequential") ?? startedApart(calls)),
    });
  }

  /** Structured content that has no parts is kept as the JSON text a reader would see. */
  private partsOf(content: Json | undefined): JsonObject[] {
    const isStructured = Array.isArray(content) ? !content.every(isPart) : isObject(content) && !isPart(content);
    return parseParts(isStructured ? contentText(content) : content, this.unknown);
  }

  private callsOf(message: JsonObject, path: string): Call[] {
    const calls = either(message, "tool_calls", "toolCalls") ?? null;
    if (calls === null) return [];
    const place = `${path}.tool_calls`;
    if (!Array.isArray(calls)) {
      this.unknown.problem(place, "is not a list of tool calls");
      return [];
    }
    const read: Call[] = [];
    for (let index = 0; index < calls.length; index++) {
      const call = this.callOf(calls[index], `${place}[${index}]`);
      if (call !== undefined) read.push(call);
    }
    return read;
  }

  private callOf(call: Json, path: string): Call | undefined {
    const shape = isObject(call) ? parseCallShape(call) : {};
    const name = stringMember(call, "tool") ?? shape.name;
    if (!isObject(call) || name === undefined) {
      this.unknown.problem(path, `is not a tool call: ${isObject(call) ? 'it has no text "tool"' : "it is no object"}`);
      return undefined;
    }
    if (member(call, "tool") === undefined) {
      this.unknown.problem(path, `names its tool "${name}" under another key than "tool"`);
    }
    const start = this.clockOf(call, path, "start_time", "startTime") ?? this.clockOf(call, path, "timestamp");
    const end = this.clockOf(call, path, "end_time", "endTime");
    const id = shape.id ?? `call-${this.unnamedCalls++}`;
    return {
      id,
      name,
      input: shape.input,
      startedAt: start,
      result: resultOf(id, call, this.durationOf(call, path) ?? elapsed(start, end), end),
    };
  }

  private clockOf(value: JsonObject, path: string, key: string, other?: string): Clock | undefined {
    const raw = either(value, key, other);
    if (raw !== undefined && typeof raw !== "string") this.unknown.problem(`${path}.${key}`, "is not a text");
    return parseClock(raw);
  }

  private durationOf(value: JsonObject, path: string): number | undefined {
    const raw = either(value, "duration_ms", "durationMs");
    if (raw === undefined) return undefined;
    if (typeof raw === "number" && Number.isFinite(raw) && raw >= 0) return raw;
    this.unknown.problem(`${path}.duration_ms`, "is not a number of milliseconds; read as unknown");
    return undefined;
  }
}

/** Something said to the model; the result of a call where a message names one. */
function tell(conversation: Conversation, role: string, message: JsonObject): void {
  const content = member(message, "content");
  const callId = role === "tool" ? stringMember(message, "tool_call_id") : undefined;
  if (callId === undefined) conversation.say(role, content);
  else conversation.result({ callId, output: content, isError: member(message, "is_error") === true });
}

/**
 * A message may hold the calls of a whole run, so that standing in one message does not say that they were made at once: their own
 * times do. Calls with different times ran one after the other unless one began before another had ended.
 */
function startedApart(calls: readonly Call[]): boolean {
  const spans = calls.map(({ startedAt, result }) => {
    const start = startedAt?.ms ?? Number.NaN;
    return { start, end: start + (result?.latencyMs ?? 0) };
  });
  const byStart = spans.toSorted((left, right) => left.start - right.start);
  return byStart.every(({ start }, index) => {
    const before = byStart[index - 1];
    // Comparisons with a time that is missing are false.
    return before === undefined ? !Number.isNaN(start) : start > before.start && start >= before.end;
  });
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Json | undefined;
  readonly startedAt: Clock | undefined;
  /** Absent when nothing says that the call ended. */
  readonly result: CallEnd | undefined;
}

interface CallEnd {
  readonly callId: string;
  readonly clock: Clock | undefined;
  readonly output: Json | undefined;
  readonly isError: boolean;
  readonly errorType: string | undefined;
  readonly latencyMs: number | null;
}

/** Written statuses are ok, error, timeout, cancelled and unknown; any other word is no success. */
function resultOf(
  callId: string,
  call: JsonObject,
  durationMs: number | undefined,
  clock: Clock | undefined,
): CallEnd | undefined {
  const output = member(call, "output");
  const status = stringMember(call, "status");
  if (status === "unknown") return undefined;
  if (status === undefined && output === undefined && durationMs === undefined && clock === undefined) return undefined;
  const isError = status !== undefined && status !== "ok";
  const kind = stringMember(member(call, "metadata"), "error_kind");
  const errorType = kind ?? (isError && status !== "error" ? status : undefined);
  return { callId, clock, output, isError, errorType, latencyMs: durationMs ?? null };
}

function booleanMember(value: Json | undefined, key: string): boolean | undefined {
  const found = member(value, key);
  return typeof found === "boolean" ? found : undefined;
}

function isPart(part: Json): boolean {
  return typeof part === "string" || typeof member(part, "type") === "string" || Array.isArray(member(part, "parts"));
}

function usePart(call: Call): JsonObject {
  return present({ type: "tool_use", id: call.id, name: call.name, input: call.input });
}

/** For a call that a response already shows, the record only adds when it started. */
function callRecord(call: Call, withInput: boolean, agent: string | undefined): TraceRecord {
  const payload: Record<string, Json> = { tool_name: call.name, tool_call_id: call.id };
  if (withInput && call.input !== undefined) payload["arguments"] = call.input;
  return present({
    kind: "tool_call",
    ts: call.startedAt?.iso,
    meta: agent === undefined ? undefined : { agent },
    payload,
  });
}

function either(value: JsonObject, key: string, other?: string): Json | undefined {
  const found = member(value, key);
  return found === undefined && other !== undefined ? member(value, other) : found;
}

/** `{input, output, cached?, reasoning?}`, each token counted once; usage in other names is read too. */
export function agentvUsage(usage: Json | undefined): JsonObject | undefined {
  const own = present({
    input_tokens: numberMember(usage, "input"),
    output_tokens: numberMember(usage, "output"),
    cached_input_tokens: numberMember(usage, "cached"),
    thinking_tokens: numberMember(usage, "reasoning"),
  });
  return Object.keys(own).length > 0 ? own : parseUsage(usage);
}
