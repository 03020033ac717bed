/**
 * What a response says, whatever shape its `content` has: an array of parts, a plain string, or OpenAI-style
 * `tool_calls` beside it. Everything that reads texts or calls of a response goes through here.
 */
import { parseCallShape } from "./call-shape.ts";
import { isObject, type Json, type JsonObject, member } from "./json.ts";

/** A part of a response. Known types: text, tool_use, thinking, tool_result; others pass through. */
export type ContentPart = JsonObject;

const NO_PARTS: readonly ContentPart[] = [];

/** The parts of a response in order. A string content is one text part; calls in other shapes become `tool_use` parts. */
export function responseParts(response: JsonObject): readonly ContentPart[] {
  // By their names and not through `member`: every response is read here, and none of these names is inherited.
  const content = response["content"];
  const calls = response["tool_calls"];
  const single = response["function_call"];
  if (Array.isArray(content) && !Array.isArray(calls) && single === undefined) return contentParts(content);
  const parts: ContentPart[] = [];
  if (typeof content === "string") {
    if (content !== "") parts.push({ type: "text", text: content });
  } else if (Array.isArray(content)) {
    for (const part of contentParts(content)) parts.push(part);
  }
  if (Array.isArray(calls)) for (const call of calls) if (isObject(call)) parts.push(callPart(call));
  if (isObject(single)) parts.push(callPart(single));
  return parts.length === 0 ? NO_PARTS : parts;
}

/** The very list where nothing in it has to be read: nearly always. */
function contentParts(content: readonly Json[]): readonly ContentPart[] {
  if (content.every(isPlain)) return content as readonly ContentPart[];
  return content.filter(isObject).map((part) => (isPlain(part) ? part : callPart(part)));
}

/** Calls that providers name otherwise: run by themselves, by an MCP server, or in the shape of another API. */
const OTHER_CALLS: ReadonlySet<Json | undefined> = new Set([
  "server_tool_use",
  "mcp_tool_use",
  "tool_call",
  "tool-call",
  "function_call",
]);

function isPlain(part: Json): part is ContentPart {
  return isObject(part) && !OTHER_CALLS.has(part["type"]);
}

function callPart(call: JsonObject): ContentPart {
  const { name, ...rest } = parseCallShape(call);
  const server = member(call, "server_name");
  if (name === undefined) return { type: "tool_use", ...rest };
  return { type: "tool_use", ...rest, name: typeof server === "string" ? `mcp__${server}__${name}` : name };
}

/** The text parts joined with `separator` (the diff joins with a space, everyone else with a newline). */
export function joinText(parts: readonly ContentPart[], separator: string): string {
  let text = "";
  let first = true;
  for (const part of parts) {
    if (part["type"] !== "text") continue;
    const piece = part["text"];
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
