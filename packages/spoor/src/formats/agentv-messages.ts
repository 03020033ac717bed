/**
 * AgentV's output messages, as its files hold them → records. Calls count whatever role their message has: those of an
 * assistant are what its response asked for, others stand alone. Unlike a live run (output-messages.ts), a file is
 * evidence: no stop reason is concluded from it, and what Spoor's own writer put into `metadata` is taken up again.
 */

import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { present } from "@spoor/core/present";
import { parseParts } from "@spoor/core/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/providers/clock";
import { Conversation, elapsed } from "@spoor/core/providers/conversation";
import type { UnknownCounter } from "@spoor/core/providers/count-unknown";
import { parseUsage } from "@spoor/core/providers/usage";
import { parseArguments } from "@spoor/core/trace/call-shape";
import { numberMember, stringMember } from "@spoor/core/trace/json";
import { type OutputMessage, type OutputToolCall, parseOutputMessages } from "./output-messages.ts";

/** Adds the records of `list` to `records`; members that cannot be used are counted under what is wrong with them. */
export function addMessageRecords(list: Json, records: TraceRecord[], unknown: UnknownCounter): void {
  const messages = parseOutputMessages(list, "output_messages", (_path, problem) => unknown.add(problem));
  const reader = new MessageReader(records, unknown);
  for (const message of messages) reader.read(message);
}

class MessageReader {
  private readonly records: TraceRecord[];
  private readonly unknown: UnknownCounter;
  /** One per agent: the main one and each sub-agent a call started. */
  private readonly conversations = new Map<string, Conversation>();
  private unnamedCalls = 0;

  constructor(records: TraceRecord[], unknown: UnknownCounter) {
    this.records = records;
    this.unknown = unknown;
  }

  read(message: OutputMessage): void {
    const agent = stringMember(message.metadata, "agent");
    const parentCallId = stringMember(message.metadata, "parent_tool_call_id");
    const conversation = this.conversationOf(agent, parentCallId);
    const calls = (message.tool_calls ?? []).map((call) => this.callOf(call));
    if (message.role === "assistant") this.respond(conversation, message, calls);
    else if (calls.length === 0) conversation.say(message.role, message.content);
    for (const call of calls) {
      const standsAlone = message.role !== "assistant";
      if (standsAlone || call.startedAt !== undefined) this.records.push(callRecord(call, standsAlone, agent));
      if (call.result !== undefined) conversation.result({ callId: call.id, ...call.result });
    }
  }

  private conversationOf(agent: string | undefined, parentCallId: string | undefined): Conversation {
    const key = JSON.stringify([agent, parentCallId]);
    const known = this.conversations.get(key) ?? new Conversation(this.records, { agent, parentCallId });
    this.conversations.set(key, known);
    return known;
  }

  private respond(conversation: Conversation, message: OutputMessage, calls: readonly Call[]): void {
    const start = parseClock(message.start_time ?? message.timestamp);
    const end = parseClock(message.end_time);
    conversation.respond({
      parts: [...parseParts(message.content, this.unknown), ...calls.map(usePart)],
      model: message.model ?? stringMember(message.metadata, "model"),
      stopReason: stringMember(message.metadata, "stop_reason"),
      usage: agentvUsage(message.token_usage),
      latencyMs: message.duration_ms ?? elapsed(start, end),
      clock: end ?? start,
      requestClock: start,
    });
  }

  private callOf(call: OutputToolCall): Call {
    const { input, output, status } = call;
    const start = parseClock(call.start_time ?? call.timestamp);
    const latencyMs = call.duration_ms ?? elapsed(start, parseClock(call.end_time));
    const isError = status === "error" || status === "timeout" || status === "cancelled";
    const ended = status === "ok" || isError || output !== undefined || latencyMs !== undefined;
    const errorType = stringMember(call.metadata, "error_kind") ?? (isError && status !== "error" ? status : undefined);
    return {
      id: call.id || `call-${this.unnamedCalls++}`,
      name: call.tool,
      input: parseArguments(input),
      startedAt: start,
      result: ended && status !== "unknown" ? { output, isError, errorType, latencyMs } : undefined,
    };
  }
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
  readonly output: Json | undefined;
  readonly isError: boolean;
  readonly errorType: string | undefined;
  readonly latencyMs: number | undefined;
}

function usePart(call: Call): JsonObject {
  return present({ type: "tool_use", id: call.id, name: call.name, input: call.input });
}

/** For a call that a response already shows, the record only adds when it started. */
function callRecord(call: Call, withInput: boolean, agent: string | undefined): TraceRecord {
  return {
    kind: "tool_call",
    ...(call.startedAt === undefined ? {} : { ts: call.startedAt.iso }),
    ...(agent === undefined ? {} : { meta: { agent } }),
    payload: present({ tool_name: call.name, tool_call_id: call.id, arguments: withInput ? call.input : undefined }),
  };
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
