/** What a tool returned, as JSON; undefined for what has no JSON form (a stream, a web response): it was not seen. */

import type { Json } from "@spoor/core/internal/trace/json";
import { jsonOf } from "@spoor/core/internal/trace/json-of";
import { snapshot } from "./snapshot.ts";
import { hasMethod, memberOf } from "./tool-use.ts";

export function outputOf(value: unknown): Json | undefined {
  if (value === undefined) return null;
  if (isUnread(value)) return undefined;
  try {
    return value instanceof Map || value instanceof Set ? snapshot(value) : jsonOf(value);
  } catch {
    // In a circle, or too deep.
    return undefined;
  }
}

/** A body that only its reader will see. */
function isUnread(value: unknown): boolean {
  if (hasMethod(value, "getReader") || hasMethod(value, "arrayBuffer") || hasMethod(value, "pipe")) return true;
  return typeof value === "object" && value !== null && hasMethod(memberOf(value, "body"), "getReader");
}
