/**
 * Records as a store keeps them: requests as what they add to the one before in their conversation, because every request repeats its whole
 * history. The opposite of `expandRequests`: unpacked, the records are the same, and each has an id and a parent.
 */
import { conversationOf, DELTA_KIND } from "../trace/expand-requests.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import { type MessageList, messageList } from "../trace/message-list.ts";
import { present } from "../trace/present.ts";
import type { TraceRecord } from "../trace/record.ts";
import { canonicalJson } from "./canonical-json.ts";
import { contentId } from "./digest.ts";
import { RequestHash } from "./request-hash.ts";

interface Packed {
  readonly id: string;
  readonly list: MessageList;
  readonly tools: Json | undefined;
  readonly hash: RequestHash;
}

export function packRequests(records: Iterable<TraceRecord>): TraceRecord[] {
  const latest = new Map<string, Packed>();
  /** Ids of requests → ids of the records that stand for them. */
  const renamed = new Map<string, string>();
  const packed: TraceRecord[] = [];
  let previous: string | null = null;
  for (const record of records) {
    const parent: string | null = record.parent === undefined ? previous : record.parent;
    const linked = { ...record, parent: parent === null ? null : (renamed.get(parent) ?? parent) };
    const kept = packOne(linked, latest, renamed);
    packed.push(kept);
    previous = kept.id!;
  }
  return packed;
}

function packOne(record: TraceRecord, latest: Map<string, Packed>, renamed: Map<string, string>): TraceRecord {
  const { payload } = record;
  const list = record.kind === "chat_request" ? messageList(payload) : undefined;
  // A delta can say these members and no others.
  if (list === undefined || !isObject(payload) || !Object.keys(payload).every((key) => MEMBERS.has(key)))
    return { ...record, id: record.id ?? contentId(payload) };
  const conversation = conversationOf(record);
  const base = latest.get(conversation);
  const isMore = base !== undefined && list.startsWith(base.list);
  const hash = (isMore ? base.hash : new RequestHash()).with(
    list.slice(isMore ? base.list.length : 0).map(canonicalJson),
  );
  const id = hash.id(canonicalJson(fieldsOf(payload)));
  // An id that somebody else gave need not be the only one of its name: nothing may go on from it.
  if (record.id !== undefined && record.id !== id) {
    latest.delete(conversation);
    return record;
  }
  const tools = member(payload, "tools");
  latest.set(conversation, { id, list, tools, hash });
  if (!isMore || base.list.length === 0 || (tools === undefined && base.tools !== undefined)) return { ...record, id };
  const delta = present({
    of: base.id,
    keep: base.list.length,
    messages: list.slice(base.list.length),
    model: member(payload, "model"),
    params: member(payload, "params"),
    tools: jsonEqual(tools, base.tools) ? undefined : tools,
    request_id: id,
  });
  const deltaId = contentId(delta);
  renamed.set(id, deltaId);
  return { ...record, kind: DELTA_KIND, id: deltaId, payload: delta };
}

const MEMBERS = new Set(["messages", "model", "params", "tools"]);

function fieldsOf({ messages: _messages, ...fields }: JsonObject): JsonObject {
  return fields;
}
