/**
 * The state of a rule as JSON and back, so that a session can go on in another process. States are plain data, maps, sets and
 * turns; a kind whose state holds more than that says itself how it is written (`save` and `restore` of its definition).
 */
import { isObject, type Json, type JsonObject, member, setMember } from "../trace/json.ts";
import type { Turn } from "../trace/trace.ts";
import { TurnEvent } from "./events.ts";

/** Marks what JSON has no word for; an object of a trace that has such a key itself is wrapped as well. */
const MARK = "$spoor";

export function encodeState(value: unknown): Json {
  switch (typeof value) {
    case "undefined":
      return { [MARK]: "undefined" };
    case "bigint":
      return { [MARK]: "bigint", text: String(value) };
    case "number":
      return Number.isFinite(value) ? value : { [MARK]: "number", text: String(value) };
    case "object":
      return value === null ? null : encodeObject(value);
    case "string":
    case "boolean":
      return value;
    default:
      throw new TypeError(`A rule keeps a ${typeof value} in its state, which cannot be saved.`);
  }
}

function encodeObject(value: object): Json {
  if (Array.isArray(value)) return value.map(encodeState);
  if (value instanceof Map) return { [MARK]: "map", entries: [...value].map(encodeState) };
  if (value instanceof Set) return { [MARK]: "set", items: [...value].map(encodeState) };
  if (value instanceof TurnEvent) return { [MARK]: "turn", turn: encodeState(slimTurn(value.turn)) };
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto !== null && proto !== Object.prototype)
    throw new TypeError("A rule keeps an object of a class in its state, which cannot be saved.");
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(copy, key, encodeState(item));
  return MARK in copy ? { [MARK]: "object", members: copy } : copy;
}

/** What rules look at afterwards: not the history, which every request repeats. */
function slimTurn({ request, messages: _, offeredTools: __, ...turn }: Turn): Turn {
  const { messages: ___, tools: ____, ...kept } = request;
  return { ...turn, request: kept };
}

export function decodeState(value: Json): unknown {
  if (Array.isArray(value)) return value.map(decodeState);
  if (!isObject(value)) return value;
  switch (member(value, MARK)) {
    case undefined:
      return decodeMembers(value);
    case "undefined":
      return undefined;
    case "bigint":
      return BigInt(value["text"] as string);
    case "number":
      return Number(value["text"]);
    case "map":
      return new Map((value["entries"] as readonly Json[]).map((entry) => decodeState(entry) as [unknown, unknown]));
    case "set":
      return new Set((value["items"] as readonly Json[]).map(decodeState));
    case "turn":
      return new TurnEvent(decodeState(value["turn"]!) as Turn);
    case "object":
      return decodeMembers(value["members"] as JsonObject);
    default:
      throw new TypeError("The saved state has a mark that this version does not know.");
  }
}

function decodeMembers(value: JsonObject): unknown {
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(copy, key, decodeState(item) as Json);
  return copy;
}
