/** The sessions of opencode's database: a row for each session, message and part, the last two with what they say as JSON in a column `data`. */
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, type Json, type JsonObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { type Database, groupBy, hasTable, jsonRows, type TableShape } from "./database.ts";
import type { ReadContext } from "./format.ts";
import type { ToldSession } from "./opencode-events.ts";

export function isOpencodeDatabase(tables: readonly TableShape[]): boolean {
  return (
    hasTable(tables, "session", ["id", "directory"]) &&
    hasTable(tables, "message", ["id", "session_id", "data"]) &&
    hasTable(tables, "part", ["id", "message_id", "data"])
  );
}

/** As `opencode export` would write them: messages by the time they were made, parts by their ids, which grow. */
export function sessionsOfDatabase(database: Database, context: ReadContext): ToldSession[] {
  const parts = groupBy(jsonRows(database, "part"), (row) => stringMember(row, "message_id"));
  const messages = groupBy(jsonRows(database, "message"), (row) => stringMember(row, "session_id"));
  const sessions = jsonRows(database, "session").filter((row) => messages.has(stringMember(row, "id") ?? ""));
  if (sessions.length === 0) {
    const newer = [...database.rows("session_message")].length;
    return context.fail(
      newer === 0
        ? "holds no session with a message"
        : `keeps its messages in the table session_message (${newer} rows), which is not read yet`,
      { hint: "Write the session as JSON: opencode export SESSION > session.json" },
    );
  }
  return sessions.map((row) => {
    const id = stringMember(row, "id")!;
    return {
      info: infoOf(row, id),
      messages: messages
        .get(id)!
        .sort((left, right) => compare(left["time_created"], right["time_created"]) || compare(left["id"], right["id"]))
        .map((message) => messageOf(message, id, parts)),
      errors: [],
    };
  });
}

function infoOf(row: JsonObject, id: string): JsonObject {
  const created = member(row, "time_created");
  return present({
    id,
    title: stringMember(row, "title"),
    directory: stringMember(row, "directory"),
    version: stringMember(row, "version"),
    parentID: stringMember(row, "parent_id"),
    time: created === undefined ? undefined : { created },
  });
}

function messageOf(row: JsonObject, sessionID: string, parts: ReadonlyMap<string, Record<string, Json>[]>) {
  const id = stringMember(row, "id") ?? "";
  const own = (parts.get(id) ?? []).sort((left, right) => compare(left["id"], right["id"]));
  return {
    info: { ...dataOf(row), id, sessionID },
    parts: own.map((part) => ({ ...dataOf(part), id: part["id"] ?? "", messageID: id, sessionID })),
  };
}

function dataOf(row: JsonObject): JsonObject {
  const data = parseJsonText(stringMember(row, "data") ?? "");
  return isObject(data) ? data : {};
}

function compare(left: Json | undefined, right: Json | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [one, other] = [String(left ?? ""), String(right ?? "")];
  return one < other ? -1 : one > other ? 1 : 0;
}
