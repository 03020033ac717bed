/** Pieces of messages as transcripts write them: lists of calls, texts in blocks. Single parts are read by chat-parts.ts. */

import { present } from "../present.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { parseArgumentText, parseCall } from "./chat-parts.ts";
import type { UnknownCounter } from "./count-unknown.ts";

/** A `tool_calls` member as `tool_use` parts. Null and a missing list are no calls; what names no tool is counted. */
export function parseCalls(calls: Json | undefined, unknown: UnknownCounter): JsonObject[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) {
    unknown.add(`tool_calls: ${typeof calls}`);
    return [];
  }
  return calls.flatMap((call) => {
    const part = isObject(call) ? parseCall(call) : undefined;
    if (part !== undefined && stringMember(part, "name") !== undefined) return [part];
    unknown.add("tool call without a name");
    return [];
  });
}

/** A `tool_use` part; arguments given as JSON text are parsed, and stay text when they are no JSON. */
export function toolUse(id: string | undefined, name: string, input: Json | undefined): JsonObject {
  return present({ type: "tool_use", id, name, input: input === undefined ? undefined : parseArgumentText(input) });
}

/** Counts a message whose role no reader knows. */
export function countRole(role: Json | undefined, unknown: UnknownCounter): void {
  unknown.add(typeof role === "string" ? `message: ${role}` : "message without a role");
}

/** Blocks of nothing but text as one text; anything else as it is. */
export function plainText(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((part) => (TEXT_TYPES.has(member(part, "type")) ? stringMember(part, "text") : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("\n") : content;
}

const TEXT_TYPES: ReadonlySet<Json | undefined> = new Set(["text", "input_text", "output_text"]);
