/**
 * Cursor's store, `state.vscdb`: the table `cursorDiskKV` holds JSON under keys. `composerData:<chat>` is a chat with the order of its messages,
 * `bubbleId:<chat>:<message>` is a message; older chats hold their messages themselves. A message of the assistant is a thought, a text or a call
 * with its result. Nothing else of the store is read: its other keys and tables hold settings, copies of files and secrets.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { CursorChat } from "./cursor-chat.ts";
import { type Database, hasTable, jsonIn } from "./database.ts";
import { type Format, type ImportedTrace, NOT_RECOGNISED, type ReadContext } from "./format.ts";

export const cursor: Format = {
  name: "cursor",
  title: "Cursor chats",
  origin:
    "Cursor/User/globalStorage/state.vscdb below ~/.config (Linux), ~/Library/Application Support (macOS), %APPDATA% (Windows)",
  tells: ["results", "errors", "times", "tokens"],
  marks: [],
  recognise: ({ tables }) =>
    hasTable(tables, TABLE, ["key", "value"]) ? { score: 0.97, has: [TABLE] } : NOT_RECOGNISED,
  readDatabase,
};

const TABLE = "cursorDiskKV";
const CHAT = "composerData:";
const MESSAGE = "bubbleId:";

function readDatabase(database: Database, context: ReadContext): ImportedTrace[] {
  const chats: JsonObject[] = [];
  const stored = new Map<string, Json>();
  for (const { key, value } of database.rows(TABLE)) {
    if (typeof key !== "string") continue;
    if (key.startsWith(MESSAGE)) stored.set(key.slice(MESSAGE.length), neededOf(jsonIn(database, value)));
    else if (key.startsWith(CHAT)) {
      const chat = jsonIn(database, value);
      if (isObject(chat)) chats.push({ ...chat, composerId: key.slice(CHAT.length) });
    }
  }
  const told = chats.map((chat) => ({ chat, messages: messagesOf(chat, stored) }));
  const spoken = told.filter(({ messages }) => messages.length > 0);
  if (spoken.length === 0) {
    return context.fail(
      chats.length === 0 ? "holds no chat of Cursor" : `holds ${chats.length} chats of Cursor, all of them empty`,
      { hint: "Chats of all workspaces stand in globalStorage/state.vscdb, not in workspaceStorage." },
    );
  }
  return spoken.map(({ chat, messages }) => readChat(chat, messages, spoken.length > 1));
}

/** A store holds the messages of years, and most of each is what the page shows around it. */
function neededOf(message: Json | undefined): Json {
  if (!isObject(message)) return null;
  const { type, text, thinking, toolFormerData, createdAt, tokenCount, modelInfo } = message;
  return present({ type, text, thinking, toolFormerData, createdAt, tokenCount, modelInfo });
}

/** In the order of the chat; null where one is named that is not in the store. */
function messagesOf(chat: JsonObject, stored: ReadonlyMap<string, Json>): readonly Json[] {
  const id = stringMember(chat, "composerId") ?? "";
  const inline = member(chat, "conversation");
  if (Array.isArray(inline) && inline.length > 0) return inline;
  const headers = member(chat, "fullConversationHeadersOnly");
  const map = member(chat, "conversationMap");
  return (Array.isArray(headers) ? headers : []).map((header: Json) => {
    const name = stringMember(header, "bubbleId") ?? "";
    return stored.get(`${id}:${name}`) ?? member(map, name) ?? null;
  });
}

function readChat(chat: JsonObject, messages: readonly Json[], several: boolean): ImportedTrace {
  const id = stringMember(chat, "composerId") ?? "";
  const title = stringMember(chat, "name") || undefined;
  const facts = { agent: "cursor", session_id: id, title };
  const records: TraceRecord[] = [metadataRecord(id, facts, parseClock(member(chat, "createdAt")))];
  const unknown = new UnknownCounter();
  const reading = new CursorChat(records, unknown, stringMember(member(chat, "modelConfig"), "modelName"));
  for (const message of messages) reading.add(message);
  const notes = reading.finish();
  return {
    records,
    ...(several ? { entry: title === undefined ? id : `${title} (${id.slice(0, 8)})` } : {}),
    ...unknown.result(),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
