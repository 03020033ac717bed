/**
 * Anything in memory as JSON, as `JSON.stringify` would write it, but without its losses: errors keep their message, and what is no
 * number is absent, as in a file (parse-json.ts), not a null that somebody wrote.
 */
import { SpoorError } from "../errors.ts";
import { type Json, setMember } from "./json.ts";
import { MAX_JSON_DEPTH } from "./parse-json.ts";

/** Undefined for what JSON has no word for: functions, symbols, NaN, undefined itself. In a list it becomes null. */
export function jsonOf(value: unknown, depth = MAX_JSON_DEPTH): Json | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "object":
      return value === null ? null : jsonOfObject(value, depth);
    default:
      return undefined;
  }
}

function jsonOfObject(value: object, depth: number): Json | undefined {
  if (depth === 0) {
    throw new SpoorError(
      "trace.bad-record",
      `The value is nested more than ${MAX_JSON_DEPTH} levels deep, or in a circle.`,
      {
        hint: "Hand over the messages themselves, not the object that holds the client.",
      },
    );
  }
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, depth - 1) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return jsonOf(value.toJSON(), depth - 1);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    const json = jsonOf(member, depth - 1);
    if (json !== undefined) setMember(copy, key, json);
  }
  return copy;
}
