/** Ids of calls that an earlier turn has used already get the number of their turn: results are joined to calls by them. */
import type { Json, TraceRecord } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { messageList, withMessages } from "@spoor/core/internal/trace/message-list";

const ID_KEYS = new Set(["id", "tool_call_id", "tool_use_id", "parent_tool_call_id"]);

/** `used` holds the ids of earlier turns, and afterwards those of this one too. */
export function renameCalls(records: readonly TraceRecord[], used: Set<string>, turn: number): readonly TraceRecord[] {
  const own = new Set(records.flatMap(callIds));
  const renamed = new Map([...own].filter((id) => used.has(id)).map((id) => [id, `${id}-turn-${turn}`] as const));
  for (const id of own) used.add(renamed.get(id) ?? id);
  if (renamed.size === 0) return records;
  return records.map((record) => {
    const messages = messageList(record.payload);
    const meta = record.meta === undefined ? {} : { meta: rename(record.meta, renamed) as Record<string, Json> };
    if (messages === undefined) return { ...record, ...meta, payload: rename(record.payload, renamed) };
    const { messages: _messages, ...fields } = record.payload as Record<string, Json>;
    return {
      ...record,
      ...meta,
      payload: withMessages(
        fields,
        messages.slice().map((one) => rename(one, renamed)),
      ),
    };
  });
}

function callIds({ kind, payload }: TraceRecord): string[] {
  if (kind === "tool_call" || kind === "tool_result")
    return [stringMember(payload, "tool_call_id")].flatMap((id) => id ?? []);
  const content = kind === "chat_response" ? member(payload, "content") : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (member(part, "type") === "tool_use" ? (stringMember(part, "id") ?? []) : []));
}

/** Input and output of a tool are somebody's data: an id in them is not ours. */
function rename(value: Json, renamed: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((one) => rename(one, renamed));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === "input" || key === "output" || key === "arguments") return [key, one];
      if (ID_KEYS.has(key) && typeof one === "string") return [key, renamed.get(one) ?? one];
      return [key, rename(one, renamed)];
    }),
  );
}
