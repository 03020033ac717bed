/**
 * goose sessions: exports (`{conversation}`), session files of before the database (a line about the session, then a message per line), rows of
 * its table, the database itself, and what `goose run --output-format stream-json` prints, where an answer comes in pieces with one id.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { namedCalls, plainText } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, clockOfMs } from "@spoor/core/internal/providers/clock";
import { Conversation, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { type Database, groupBy, hasTable, jsonRows } from "./database.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { jsonOf, type Place, placesOf } from "./goose-history.ts";

export const goose: Format = {
  name: "goose",
  title: "goose session",
  origin:
    "~/.local/share/goose/sessions/sessions.db, goose session export --format json, goose run --output-format stream-json, older sessions/*.jsonl",
  tells: ["results", "errors", "times"],
  marks: ["conversation", "messages", "type", "role"],
  recognise,
  readDocument: (document, context) => read([document], context),
  openLines: (context) => collectLines((values) => read(values, context)),
  readDatabase,
};

function recognise({ document, lines = [], tables }: Sample): Recognition {
  if (tables !== undefined) {
    const isGoose =
      hasTable(tables, "sessions", ["id", "working_dir"]) && hasTable(tables, "messages", MESSAGE_COLUMNS);
    return isGoose ? { score: 0.97, has: ["sessions", "messages"] } : NOT_RECOGNISED;
  }
  const messages = (document === undefined ? lines : [document]).flatMap(messagesOf);
  if (messages.some((message) => contentOf(message).some((part) => OWN.has(typeOf(part)))))
    return { score: 0.96, has: ["role", "created", "content"] };
  const plain = messages.length > 0 && messages.every((message) => numberMember(message, "created") !== undefined);
  return plain ? { score: 0.85, has: ["role", "created", "content"] } : NOT_RECOGNISED;
}

const OWN = new Set(["toolRequest", "toolResponse", "frontendToolRequest", "toolConfirmationRequest"]);
/** What the page shows or asks. */
const QUIET = new Set([
  "toolConfirmationRequest",
  "actionRequired",
  "systemNotification",
  "contextLengthExceeded",
  "summarizationRequested",
  "conversationCompacted",
]);

/** The messages of an export, of a line of a stream, or a message itself. */
function messagesOf(value: Json): readonly Json[] {
  const conversation = member(value, "conversation");
  const list = Array.isArray(value)
    ? value
    : Array.isArray(conversation)
      ? conversation
      : (member(conversation, "messages") ?? member(value, "messages"));
  if (Array.isArray(list)) return list.flatMap(messagesOf);
  const inner = /^message$/i.test(stringMember(value, "type") ?? "") ? member(value, "message") : value;
  const role = stringMember(inner, "role");
  return isObject(inner) && (role === "user" || role === "assistant") && contentOf(inner).length > 0 ? [inner] : [];
}

function contentOf(message: Json): readonly Json[] {
  const content = jsonOf(message, "content");
  const list = typeof content === "string" ? parseJsonText(content) : content;
  return Array.isArray(list) ? list : [];
}

const MESSAGE_COLUMNS = ["session_id", "role", "content_json", "created_timestamp"];

/** Every session with messages is a run of its own, those of sub-agents too; messages stand in the order in which they were added. */
function readDatabase(database: Database, context: ReadContext): ImportedTrace[] {
  const messages = groupBy(jsonRows(database, "messages"), (row) => stringMember(row, "session_id"));
  const sessions = jsonRows(database, "sessions").filter((row) => messages.has(stringMember(row, "id") ?? ""));
  if (sessions.length === 0) return context.fail("holds no session with a message");
  return sessions.flatMap((session) => {
    const id = stringMember(session, "id")!;
    const name = [stringMember(session, "name"), stringMember(session, "description")].find(Boolean);
    return read([session, ...messages.get(id)!], context).map((trace) =>
      sessions.length === 1 ? trace : { ...trace, entry: name === undefined ? id : `${name} (${id})` },
    );
  });
}

function read(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const messages = joinPieces(values.flatMap(messagesOf));
  if (messages.length === 0) return context.fail("holds no message of goose");
  const unknown = new UnknownCounter();
  const records: TraceRecord[] = [];
  const conversation = new Conversation(records);
  const session = values.find((value) => firstMember(value, ["working_dir", "description"]) !== undefined);
  const model = stringMember(jsonOf(session, "model_config"), "model_name");
  const places = placesOf(messages, (message) => contentOf(message).some((part) => OWN.has(typeOf(part))));
  for (const [index, message] of messages.entries()) addMessage(message, places[index]!, model, conversation, unknown);
  for (const value of values) {
    const error = stringMember(value, "type") === "error" ? stringMember(value, "error") : undefined;
    if (error !== undefined) records.push(errorRecord({ source: "sdk", message: error }));
  }
  const id = stringMember(session, "id") ?? stringMember(messages[0], "session_id");
  const metadata = metadataRecord(id, { agent: "goose", cwd: stringMember(session, "working_dir") });
  const notes = conversation.notes();
  return [{ records: [metadata, ...records], ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) }];
}

/** Pieces of one answer share its id; texts that follow each other are one text. */
function joinPieces(messages: readonly Json[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const message of messages) {
    if (!isObject(message)) continue;
    const last = joined.at(-1);
    const id = firstMember(message, ["id", "message_id"]);
    const isPiece = id !== undefined && last !== undefined && firstMember(last, ["id", "message_id"]) === id;
    if (!isPiece || member(last, "role") !== "assistant" || member(message, "role") !== "assistant")
      joined.push(message);
    else joined[joined.length - 1] = { ...last, content: joinTexts([...contentOf(last), ...contentOf(message)]) };
  }
  return joined;
}

function joinTexts(parts: readonly Json[]): Json[] {
  const joined: Json[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const key = ["text", "thinking"].find((type) => member(part, "type") === type && member(last, "type") === type);
    const texts = key === undefined ? undefined : [stringMember(last, key), stringMember(part, key)];
    if (key !== undefined && isObject(last) && texts!.every((text) => text !== undefined))
      joined[joined.length - 1] = { ...last, [key]: texts!.join("") };
    else joined.push(part);
  }
  return joined;
}

function addMessage(
  message: JsonObject,
  place: Place,
  model: string | undefined,
  conversation: Conversation,
  unknown: UnknownCounter,
): void {
  if (place === "notice") return;
  const clock = clockOf(firstMember(message, ["created", "created_timestamp"]));
  if (place === "summary") conversation.restart(clock);
  const content = contentOf(message);
  const said = content.filter((part) => member(part, "type") !== "toolResponse");
  if (member(message, "role") === "assistant") {
    const parts = said.flatMap((part) => partOf(part, unknown));
    if (place === "word") conversation.recall({ role: "assistant", content: parts });
    else if (parts.length > 0) conversation.respond({ parts, model, clock });
  }
  for (const part of content) if (member(part, "type") === "toolResponse") addResult(part, conversation, clock);
  const shown = said.filter((part) => !QUIET.has(typeOf(part)));
  if (member(message, "role") === "user" && shown.length > 0) conversation.say("user", plainText(shown));
}

/** Seconds in messages, milliseconds in the table. */
function clockOf(value: Json | undefined): Clock | undefined {
  if (typeof value !== "number") return undefined;
  return clockOfMs(value > 1e11 ? value : value * 1000);
}

function typeOf(part: Json): string {
  return stringMember(part, "type") ?? "";
}

function partOf(part: Json, unknown: UnknownCounter): JsonObject[] {
  const type = typeOf(part);
  if (QUIET.has(type)) return [];
  switch (type) {
    case "text": {
      const text = stringMember(part, "text");
      return text ? [{ type: "text", text }] : [];
    }
    case "thinking":
    case "reasoning":
      return [{ type: "thinking", text: stringMember(part, "thinking") ?? stringMember(part, "text") ?? "" }];
    case "redactedThinking":
    case "image":
      return [{ ...(part as JsonObject), type: type === "image" ? "image" : "redacted_thinking" }];
    case "toolRequest":
    case "frontendToolRequest": {
      const call = firstMember(part, ["toolCall", "tool_call"]);
      const value = member(call, "value") ?? call;
      const id = stringMember(part, "id");
      // A request that could not be read has an error instead of a call.
      return isObject(value) && stringMember(value, "name") !== undefined
        ? namedCalls([{ ...value, ...(id === undefined ? {} : { id }) }], unknown)
        : countBad(unknown);
    }
    default:
      unknown.add(`part ${type || "without type"}`);
      return [];
  }
}

function countBad(unknown: UnknownCounter): JsonObject[] {
  unknown.add("tool call without a name");
  return [];
}

function addResult(part: Json, conversation: Conversation, clock: Clock | undefined): void {
  const result = firstMember(part, ["toolResult", "tool_result"]);
  const value = member(result, "value") ?? (member(result, "status") === undefined ? result : undefined);
  const error = member(result, "error");
  const content = Array.isArray(value) ? value : (member(value, "content") ?? value);
  conversation.result({
    callId: stringMember(part, "id"),
    output: error === undefined ? plainText(forModel(content)) : error,
    isError: error !== undefined || member(result, "status") === "error" || member(value, "isError") === true,
    clock,
  });
}

/** A tool may say one thing to the model and another to the user. */
function forModel(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content;
  const heard = content.filter((item: Json) => {
    const audience = member(member(item, "annotations"), "audience") ?? member(item, "audience");
    return !Array.isArray(audience) || audience.length === 0 || audience.includes("assistant");
  });
  return heard.map((item) => {
    const text = stringMember(item, "text");
    return member(item, "type") === "text" && text !== undefined ? { type: "text", text } : item;
  });
}
