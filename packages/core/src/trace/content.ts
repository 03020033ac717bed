/**
 * What a response says, whatever shape its `content` has: an array of parts, a plain string, or OpenAI-style
 * `tool_calls` beside it. Everything that reads texts or calls of a response goes through here.
 */
import { isObject, type Json, type JsonObject, member, stringMember } from "./json.ts";
import { JsonSyntaxError, parseJson } from "./parse-json.ts";

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
    for (const call of calls) if (isObject(call)) parts.push(toolUseOfCall(call));
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

/** A call in OpenAI's shape (`function: {name, arguments: "…"}`) as a `tool_use` part. */
function toolUseOfCall(call: JsonObject): ContentPart {
  const fn = member(call, "function");
  const name = stringMember(fn, "name") ?? stringMember(call, "name") ?? (typeof fn === "string" ? fn : undefined);
  const rawInput =
    member(fn, "arguments") ?? member(call, "arguments") ?? member(call, "args") ?? member(call, "input");
  const part: Record<string, Json> = { type: "tool_use" };
  const id = stringMember(call, "id");
  if (id !== undefined) part["id"] = id;
  if (name !== undefined) part["name"] = name;
  if (rawInput !== undefined) part["input"] = typeof rawInput === "string" ? parseArguments(rawInput) : rawInput;
  return part;
}

/** Arguments given as JSON text, read exactly; text that is not JSON (or nested too deep) stays what it is. */
export function parseArguments(text: string): Json {
  if (text === "") return {};
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}
