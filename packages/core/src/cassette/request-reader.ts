/**
 * Requests to a model as they are looked up: a digest of model, messages, tools and parameters, without what says nothing about the
 * answer (streaming, who asks, marks for caches), with ids of calls as ordinals and with masks. Messages repeat from request to
 * request: each is read once.
 */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import type { Redaction } from "../redact/redaction.ts";
import { isObject, type Json, type JsonObject, member, setMember, stringMember } from "../trace/json.ts";
import { messageList } from "../trace/message-list.ts";
import { toolNameOf } from "../trace/read-exchange.ts";
import type { MaskedToken, Masks } from "./masks.ts";

export interface ReadRequest {
  /** Equal for requests that a recorded answer answers alike. */
  readonly key: string;
  /** What was masked: among equal keys, the same text is the better answer. */
  readonly masked: string;
  readonly model: string;
  /** One digest per message, ids of calls as ordinals. */
  readonly messages: readonly string[];
  /** Tool → digest of its definition. */
  readonly tools: ReadonlyMap<string, string>;
  readonly params: JsonObject;
  /** The request itself, in `.agentlog` shape. */
  readonly payload: JsonObject;
}

export type RequestReader = (payload: JsonObject) => ReadRequest;

export function createRequestReader(masks: Masks, redaction: Redaction | undefined): RequestReader {
  const known = new WeakMap<object, ReadPart>();
  const redact = (value: Json): Json => (redaction === undefined ? value : redaction.json(value));

  return (payload) => {
    const ordinals = new Map<string, number>();
    const tokens: string[] = [];
    const messages: string[] = [];
    for (const message of messageList(payload) ?? []) {
      const { digest, ids, masked } = read(message);
      if (masked !== "") tokens.push(masked);
      messages.push(ids.length === 0 ? digest : `${digest} ${ids.map((id) => ordinalOf(id, ordinals)).join()}`);
    }
    const tools = readTools(member(payload, "tools"));
    const params = lastingParams(member(payload, "params"));
    const settings = read(params);
    if (settings.masked !== "") tokens.push(settings.masked);
    const model = stringMember(payload, "model") ?? "";
    const key = digestText(canonicalJson([model, settings.digest, [...tools], messages]), 32);
    return { key, masked: tokens.join("\n"), model, messages, tools, params, payload };
  };

  function read(value: Json): ReadPart {
    if (typeof value !== "object" || value === null) return readPart(value);
    const before = known.get(value);
    if (before !== undefined) return before;
    const part = readPart(value);
    known.set(value, part);
    return part;
  }

  function readPart(value: Json): ReadPart {
    const ids: string[] = [];
    const tokens: MaskedToken[] = [];
    const lasting = masks.json(withoutVolatile(redact(value), ids), tokens);
    const masked = tokens.map(({ text }) => text).join();
    return { digest: digestText(canonicalJson(lasting), 32), ids, masked };
  }

  function readTools(tools: Json | undefined): Map<string, string> {
    const read_ = new Map<string, string>();
    if (!Array.isArray(tools)) return read_;
    for (const [index, tool] of tools.entries()) read_.set(toolNameOf(tool) ?? `#${index}`, read(tool).digest);
    return read_;
  }
}

interface ReadPart {
  readonly digest: string;
  /** The ids of calls in it, in their order. */
  readonly ids: readonly string[];
  readonly masked: string;
}

function ordinalOf(id: string, ordinals: Map<string, number>): number {
  const known = ordinals.get(id) ?? ordinals.size;
  ordinals.set(id, known);
  return known;
}

/** They change how an answer travels, or name who asks; the answer is the same. */
const NOT_ASKED: ReadonlySet<string> = new Set([
  ...["stream", "stream_options", "metadata", "client_metadata", "user", "safety_identifier"],
  ...["prompt_cache_key", "prompt_cache_retention", "cache_control"],
]);

function lastingParams(params: Json | undefined): JsonObject {
  const kept: Record<string, Json> = {};
  if (!isObject(params)) return kept;
  for (const key of Object.keys(params)) if (!NOT_ASKED.has(key)) setMember(kept, key, params[key]!);
  return kept;
}

const CALL_ID_KEYS: ReadonlySet<string> = new Set(["tool_use_id", "tool_call_id", "call_id"]);
const CALL_TYPES: ReadonlySet<Json | undefined> = new Set([
  "tool_use",
  "server_tool_use",
  "tool_call",
  "function",
  "function_call",
]);

/**
 * Without marks for caches and without ids that are given anew; ids of calls become their order in `ids`. What the agent itself
 * wrote (arguments) is left alone.
 */
function withoutVolatile(value: Json, ids: string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutVolatile(item, ids));
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  const type = member(value, "type");
  const isCall = CALL_TYPES.has(type);
  for (const key of Object.keys(value)) {
    const item = value[key]!;
    if (key === "cache_control") continue;
    if (typeof item === "string" && (CALL_ID_KEYS.has(key) || (isCall && key === "id"))) {
      let place = ids.indexOf(item);
      if (place < 0) place = ids.push(item) - 1;
      kept[key] = `#${place}`;
    } else if (typeof type === "string" && (key === "id" || key === "status")) continue;
    else setMember(kept, key, key === "input" || key === "arguments" ? item : withoutVolatile(item, ids));
  }
  return kept;
}
