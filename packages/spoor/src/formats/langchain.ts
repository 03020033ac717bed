/**
 * LangChain's messages, as its three serializers write them: `{lc, type: "constructor", id, kwargs}` (dumpd), `{type, data}`
 * (messages_to_dict) and plain members; alone or in a state of LangGraph.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { countRole, namedCalls, plainText } from "@spoor/core/internal/providers/chat-parts";
import { parseMessageOf } from "@spoor/core/internal/providers/chat-shapes";
import { Conversation, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import type { ImportedTrace } from "./format.ts";
import { messageListFormat } from "./message-list.ts";

export const langchain = messageListFormat({
  name: "langchain",
  title: "LangChain messages",
  origin: "dumps(messages), messages_to_dict(messages), message.model_dump(), a state's messages (LangGraph too)",
  tells: ["results", "errors", "tokens", "requests"],
  places: [
    "messages",
    "values.messages",
    "state.messages",
    "output.messages",
    "channel_values.messages",
    "kwargs.messages",
  ],
  messageMarks: ["type", "kwargs"],
  has: ["type", "content"],
  fits: (message) => isObject(bodyOf(message)) && TYPES.has(typeOf(message) ?? ""),
  isOwn: (message) => typeOf(message) === "human" || typeOf(message) === "ai" || bodyOf(message) !== message,
  read,
});

const TYPES = new Set(["system", "human", "ai", "tool", "function", "chat", "developer", "remove"]);

/** `AIMessageChunk`, `AIMessage` and `ai` are one. */
function typeOf(message: Json): string | undefined {
  const path = member(message, "id");
  const named = isObject(member(message, "kwargs")) && Array.isArray(path) ? path.at(-1) : member(message, "type");
  if (typeof named !== "string" || Object.hasOwn(message as JsonObject, "role")) return undefined;
  return named.replace(/Message(?:Chunk)?$/, "").toLowerCase();
}

function bodyOf(message: Json): Json | undefined {
  const inner = firstMember(message, ["kwargs", "data"]);
  if (isObject(inner)) return inner;
  return isObject(message) && Object.hasOwn(message, "content") ? message : undefined;
}

function read(messages: readonly Json[], around: Json): ImportedTrace {
  const unknown = new UnknownCounter();
  const id = firstMember(around, ["thread_id", "id"]);
  const records: TraceRecord[] = [metadataRecord(typeof id === "string" ? id : undefined, {})];
  const conversation = new Conversation(records);
  for (const message of messages) addMessage(message, conversation, unknown);
  const notes = conversation.notes();
  return { records, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
}

function addMessage(message: Json, conversation: Conversation, unknown: UnknownCounter): void {
  const type = typeOf(message);
  const body = bodyOf(message);
  // It tells a graph to forget a message; the model never sees it.
  if (type === "remove") return;
  if (!isObject(body) || type === undefined || !TYPES.has(type)) {
    countRole(type ?? member(message, "role"), unknown);
    return;
  }
  if (type === "system" || type === "human" || type === "developer" || type === "chat") {
    const role = type === "human" ? "user" : type === "chat" ? (stringMember(body, "role") ?? "user") : "system";
    conversation.say(role, plainText(member(body, "content")));
    return;
  }
  const role = type === "ai" ? "assistant" : "tool";
  for (const parsed of parseMessageOf(role, body, unknown) ?? []) {
    if (parsed.result !== undefined) {
      const { callId, output, failed } = parsed.result;
      conversation.result({ callId, output: plainText(output), isError: failed === true });
      continue;
    }
    const metadata = member(body, "response_metadata");
    const parts = [...parsed.parts, ...invalidCalls(body, unknown)];
    conversation.respond({
      parts,
      model: parsed.model ?? stringMember(metadata, "model") ?? stringMember(metadata, "model_id"),
      usage: parsed.usage,
      stopReason: stopReason(
        parsed.stopReason,
        parts.some((part) => part["type"] === "tool_use"),
      ),
    });
  }
}

/** Calls whose arguments are no JSON: the model asked for them, and nothing ran them. */
function invalidCalls(body: JsonObject, unknown: UnknownCounter): JsonObject[] {
  const calls = member(body, "invalid_tool_calls");
  if (!Array.isArray(calls)) return [];
  return namedCalls(
    calls.filter(isObject).map(({ type: _type, error: _error, ...call }) => call),
    unknown,
  );
}
