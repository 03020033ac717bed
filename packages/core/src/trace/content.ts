/**
 * What a response says, whatever shape its `content` has: an array of parts, a plain string, or OpenAI-style
 * `tool_calls` beside it. Everything that reads texts or calls of a response goes through here.
 */
import { parseCallShape } from "./call-shape.ts";
import { isObject, type JsonObject, member } from "./json.ts";

/** A part of a response. Known types: text, tool_use, thinking, tool_result; others pass through. */
export type ContentPart = JsonObject;

const NO_PARTS: readonly ContentPart[] = [];

/** The parts of a response in order. A string content is one text part; `tool_calls` become `tool_use` parts. */
export function responseParts(response: JsonObject): readonly ContentPart[] {
  const content = member(response, "content");
  const calls = member(response, "tool_calls");
  if (Array.isArray(content) && !Array.isArray(calls)) {
    return content.every(isObject) ? (content as readonly ContentPart[]) : content.filter(isObject);
  }
  const parts: ContentPart[] = [];
  if (typeof content === "string") {
    if (content !== "") parts.push({ type: "text", text: content });
  } else if (Array.isArray(content)) {
    parts.push(...content.filter(isObject));
  }
  if (Array.isArray(calls)) {
    for (const call of calls) if (isObject(call)) parts.push({ type: "tool_use", ...parseCallShape(call) });
  }
  return parts.length === 0 ? NO_PARTS : parts;
}

/** The text parts joined with `separator` (the diff joins with a space, everyone else with a newline). */
export function joinText(parts: readonly ContentPart[], separator: string): string {
  let text = "";
  let first = true;
  for (const part of parts) {
    if (member(part, "type") !== "text") continue;
    const piece = member(part, "text");
    if (typeof piece !== "string") continue;
    text = first ? piece : text + separator + piece;
    first = false;
  }
  return text;
}

/** The text of a message or response payload. */
export function contentText(message: JsonObject): string {
  const content = member(message, "content");
  if (typeof content === "string") return content;
  return Array.isArray(content) ? joinText(content.filter(isObject), "\n") : "";
}
