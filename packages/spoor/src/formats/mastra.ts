/** Mastra's stored messages: UI messages of the AI SDK inside `content` (`format: 2` and `3`), older ones are its core messages. */
import type { Json } from "@spoor/core";
import { aiSdkReader } from "@spoor/core/internal/providers/value-readers";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { messageListFormat } from "./message-list.ts";

export const mastra = messageListFormat({
  name: "mastra",
  title: "Mastra messages",
  origin: "memory.query() and storage.getMessages() as JSON, rows of mastra_messages",
  tells: ["results", "errors", "times"],
  places: ["messages", "messagesV2"],
  messageMarks: ["role"],
  has: ["content", "threadId"],
  fits: (message) =>
    stringMember(message, "role") !== undefined && isObject(message) && Object.hasOwn(message, "content"),
  isOwn: (message) => hasParts(message) || (isStored(message) && stringMember(message, "role") !== undefined),
  read(messages, around) {
    const [trace] = aiSdkReader.read(joinSplit(messages).map(uiMessage));
    const id = threadOf(messages, around);
    if (id === undefined) return trace!;
    const metadata = trace!.records[0]!;
    const named = { ...metadata, meta: { ...metadata.meta, trace_id: id } };
    return { ...trace!, records: [named, ...trace!.records.slice(1)] };
  },
});

/** The oldest shape cuts an answer into a message for its text and one for each call; their ids tell that they are one. */
function joinSplit(messages: readonly Json[]): readonly Json[] {
  const joined: Json[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const split = splitOf(message);
    const isSplit = split !== undefined && split === splitOf(last) && roleOf(message) === "assistant";
    if (isObject(last) && isObject(message) && isSplit && roleOf(last) === "assistant")
      joined[joined.length - 1] = { ...last, content: [...partsOf(last), ...partsOf(message)] };
    else joined.push(message);
  }
  return joined;
}

function roleOf(message: Json | undefined): string | undefined {
  return stringMember(message, "role");
}

function splitOf(message: Json | undefined): string | undefined {
  const id = stringMember(message, "id");
  return id?.includes("__split-") ? id.replace(/__split-\d+$/, "") : id;
}

function partsOf(message: Json): readonly Json[] {
  const content = member(message, "content");
  return Array.isArray(content) ? content : typeof content === "string" ? [{ type: "text", text: content }] : [];
}

/** A table keeps it as text. */
function contentOf(message: Json): Json | undefined {
  const content = member(message, "content");
  return typeof content === "string" && content.startsWith("{") ? (parseJsonText(content) ?? content) : content;
}

function hasParts(message: Json): boolean {
  return holdsParts(contentOf(message));
}

function holdsParts(content: Json | undefined): boolean {
  const format = member(content, "format");
  return (format === 2 || format === 3) && Array.isArray(member(content, "parts"));
}

/** Rows carry the names of their columns. */
function isStored(message: Json): boolean {
  return ["threadId", "thread_id"].some((key) => typeof member(message, key) === "string");
}

function uiMessage(message: Json): Json {
  const content = contentOf(message);
  if (!isObject(message) || !isObject(content) || !holdsParts(content)) return message;
  return { ...message, ...content, role: member(message, "role") ?? "" };
}

function threadOf(messages: readonly Json[], around: Json): string | undefined {
  const first = messages.find(isStored) ?? null;
  return (
    stringMember(first, "threadId") ?? stringMember(first, "thread_id") ?? stringMember(member(around, "thread"), "id")
  );
}
