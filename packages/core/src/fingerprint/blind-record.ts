/**
 * Records without anything anyone said, one by one, as `readBlindRecords` restores them from a content-blind file: names, names of
 * members, sizes, times, tokens, and hashes by which equal arguments stay equal. The key of the hashes is not in the recording, so
 * that a short value cannot be guessed from its hash.
 */
import { digestText } from "../canonical/digest.ts";
import { responseParts } from "../trace/content.ts";
import { isObject, type Json, type JsonObject, member, stringifyJson } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { restoredInput, restoredOutput, shapeMembers } from "./blind-values.ts";

export interface BlindRecord {
  readonly payload: Json;
  readonly meta: JsonObject;
}

export type RecordBlinder = (kind: string, payload: Json, meta: JsonObject) => BlindRecord;

export function createRecordBlinder(key: string): RecordBlinder {
  const hash = (content: Json) => digestText(`${key}:${stringifyJson(content)}`, 32);
  // Names the key without giving it away: recordings under one key can be compared with each other.
  const keyName = digestText(`name of ${key}`, 12);
  return (kind, payload, meta) => ({
    payload: blindPayload(kind, isObject(payload) ? payload : {}, hash, keyName),
    meta: { ...keepMembers(meta, KEPT_META), redacted: true },
  });
}

type Hash = (content: Json) => string;

const KEPT_META = [
  ...["trace_id", "session_tag", "agent", "parent_tool_call_id", "parallel_group", "sequential", "placed_by", "fork"],
  ...["complete", "evidence", "stand_in", "latency_at_most_ms", "part"],
];

function blindPayload(kind: string, payload: JsonObject, hash: Hash, keyName: string): Json {
  switch (kind) {
    case "metadata":
      return { ...payload, content: "blind", content_key: keyName };
    case "chat_request":
      return present({ model: payload["model"], tools: toolNames(payload["tools"]) });
    case "chat_response":
      return blindResponse(payload, hash);
    case "tool_call":
      return present({
        ...keepMembers(payload, ["tool_name", "tool_call_id"]),
        arguments: blindInput(payload["arguments"], hash),
      });
    case "tool_result":
      return present({
        ...keepMembers(payload, ["tool_call_id", "is_error", "error_type", "latency_ms"]),
        output: blindOutput(payload["output"], hash),
      });
    case "error":
      return keepMembers(payload, ["source", "code", "status_code", "latency_ms"]);
    case "harness_event":
      return present({
        ...keepMembers(payload, ["category", "name", "severity", "tool_call_id"]),
        attributes: figuresOf(payload["attributes"]),
      });
    default:
      return {};
  }
}

function blindResponse(payload: JsonObject, hash: Hash): JsonObject {
  const content = responseParts(payload).flatMap((part): JsonObject[] => {
    if (member(part, "type") !== "tool_use") return [];
    return [present({ type: "tool_use", id: part["id"], name: part["name"], input: blindInput(part["input"], hash) })];
  });
  return { ...keepMembers(payload, ["model", "stop_reason", "usage", "latency_ms", "stream_timings"]), content };
}

function blindInput(input: Json | undefined, hash: Hash): Json | undefined {
  return input === undefined ? undefined : restoredInput(shapeMembers({ input }, hash));
}

function blindOutput(output: Json | undefined, hash: Hash): Json | undefined {
  return output === undefined ? undefined : restoredOutput(shapeMembers({ output }, hash));
}

function toolNames(tools: Json | undefined): Json | undefined {
  if (!Array.isArray(tools)) return undefined;
  return tools.map((tool) =>
    present({ name: member(tool, "name") ?? member(member(tool, "function"), "name") ?? member(tool, "type") }),
  );
}

/** Numbers and yes or no, and what is listed under a name: words are what was said. */
function figuresOf(value: Json | undefined): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const kept = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    if (typeof item === "number" || typeof item === "boolean") return [[key, item]];
    const inner = figuresOf(item);
    return inner === undefined ? [] : [[key, inner]];
  });
  return Object.fromEntries(kept);
}

function keepMembers(value: JsonObject, keys: readonly string[]): JsonObject {
  return present(Object.fromEntries(keys.map((key) => [key, member(value, key)])));
}
