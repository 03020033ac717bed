/**
 * The parts of a message, whatever SDK wrote them, as `.agentlog` parts: text, tool_use, thinking, tool_result. Known
 * other parts (images, files, provider-side tools) pass through as they are; parts of an unknown type too, but counted.
 */

import { firstMember, parseArguments, parseCallShape, parseJsonText } from "../trace/call-shape.ts";
import { isObject, type Json, type JsonObject, member, stringifyJson, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { isResultPart } from "../trace/request-results.ts";
import type { UnknownCounter } from "./count-unknown.ts";

/** A part in `.agentlog` shape. */
export type Part = JsonObject;

const PASSED_THROUGH: ReadonlySet<string> = new Set([
  "image",
  "image_url",
  "input_image",
  "audio",
  "input_audio",
  "blob",
  "file",
  "input_file",
  "uri",
  "document",
  "refusal",
  "redacted_thinking",
  "server_tool_call",
  "server_tool_call_response",
  "mcp_tool_use",
  "generic",
]);

/** The parts of a `content` or `parts` member: a text, one part, or a list of texts and parts. */
export function parseParts(content: Json | undefined, unknown: UnknownCounter): Part[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return content === "" ? [] : [textPart(content)];
  if (Array.isArray(content)) return content.flatMap((item: Json) => parsePart(item, unknown));
  if (isObject(content)) {
    const parts = member(content, "parts");
    return Array.isArray(parts) ? parseParts(parts, unknown) : parsePart(content, unknown);
  }
  return [textPart(stringifyJson(content))];
}

function parsePart(item: Json, unknown: UnknownCounter): Part[] {
  if (!isObject(item)) return parseParts(item, unknown);
  const type = stringMember(item, "type")?.replaceAll("-", "_");
  switch (type) {
    case "text":
    case "input_text":
    case "output_text": {
      const text = stringMember(item, "text") ?? stringMember(item, "content") ?? stringMember(item, "value");
      return text === undefined ? [] : [textPart(text)];
    }
    case "thinking":
    case "reasoning":
      return [thinkingPart(item)];
    case "tool_use":
    case "server_tool_use":
    case "tool_call":
    case "function_call":
    case "mcp_call":
    case "custom_tool_call":
      return namedCalls([item], unknown);
    case "tool_result":
    case "tool_call_response":
    case "function_call_output":
    case "custom_tool_call_output":
      return [parseResult(item)];
    case undefined:
      return partByShape(item, unknown);
    default:
      if (type.endsWith(".TextReasoningContent")) return [thinkingPart(item)];
      if (!PASSED_THROUGH.has(type) && !isResultPart(type)) unknown.add(`part ${type}`);
      return [item];
  }
}

/** Gemini's parts have no type: the key says what they are. */
function partByShape(item: JsonObject, unknown: UnknownCounter): Part[] {
  const call = member(item, "function_call") ?? member(item, "functionCall");
  if (isObject(call)) return [parseCall(call)];
  const response = member(item, "function_response") ?? member(item, "functionResponse");
  if (isObject(response)) return [parseResult(response)];
  const text = stringMember(item, "text");
  if (text !== undefined) return [member(item, "thought") === true ? { type: "thinking", text } : textPart(text)];
  if (!GEMINI_MEDIA.some((key) => isObject(member(item, key)))) unknown.add("part without type");
  return [item];
}

const GEMINI_MEDIA = ["inlineData", "inline_data", "fileData", "file_data"] as const;

function textPart(text: string): Part {
  return { type: "text", text };
}

function thinkingPart(item: JsonObject): Part {
  const summary = member(item, "summary");
  const text =
    stringMember(item, "thinking") ??
    stringMember(item, "content") ??
    // Microsoft.Extensions.AI writes its own class, with the text one step further down.
    stringMember(member(item, "content"), "text") ??
    stringMember(item, "text") ??
    stringMember(item, "reasoning") ??
    (Array.isArray(summary) ? summary.map((entry: Json) => stringMember(entry, "text") ?? "").join("\n") : undefined);
  return { type: "thinking", text: text ?? "" };
}

/** Calls as `tool_use` parts; one that names no tool can be neither shown nor answered, and is counted. */
export function namedCalls(calls: readonly JsonObject[], unknown: UnknownCounter): Part[] {
  const parts = calls.map(parseCall);
  const named = parts.filter((part) => stringMember(part, "name") !== undefined);
  if (named.length < parts.length) unknown.add("tool call without a name", parts.length - named.length);
  return named;
}

/** A call in any of the shapes in circulation as a `tool_use` part; what the source lacks stays absent. */
export function parseCall(call: JsonObject): Part {
  const { id, name, input } = parseCallShape(call);
  const part: Record<string, Json> = { type: "tool_use" };
  if (id !== undefined) part["id"] = id;
  if (name !== undefined) part["name"] = name;
  if (input !== undefined) part["input"] = input;
  return part;
}

/** A text that is a list of calls by the marks that APIs and SDKs give them; a model that writes JSON of its own has none. */
export function callsInText(text: string): readonly Part[] | undefined {
  if (!/^\s*\[\s*\{/.test(text)) return undefined;
  const list = parseJsonText(text);
  return isListOfCalls(list) ? list.map(parseCall) : undefined;
}

export function isListOfCalls(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMarkedCall);
}

/** OpenAI's `{type: "function", id, function: {name}}`, or the AI SDK's `{toolCallId, toolName}`. */
function isMarkedCall(value: Json): boolean {
  if (stringMember(value, "toolCallId") !== undefined && stringMember(value, "toolName") !== undefined) return true;
  const isFunction = member(value, "type") === "function" && stringMember(value, "id") !== undefined;
  return isFunction && stringMember(member(value, "function"), "name") !== undefined;
}

const RESULT_KEYS = ["response", "result", "output", "content"];

function parseResult(item: JsonObject): Part {
  const id =
    stringMember(item, "tool_use_id") ??
    stringMember(item, "tool_call_id") ??
    stringMember(item, "toolCallId") ??
    stringMember(item, "call_id") ??
    stringMember(item, "id");
  const name = stringMember(item, "name") ?? stringMember(item, "toolName");
  const content = resultValue(firstMember(item, RESULT_KEYS));
  const failed = member(item, "is_error") === true || member(item, "isError") === true || content?.failed === true;
  const part: Record<string, Json> = { type: "tool_result" };
  if (id) part["tool_use_id"] = id;
  if (name !== undefined) part["name"] = name;
  if (content !== undefined) part["content"] = content.value;
  if (failed) part["is_error"] = true;
  return part;
}

/** Vercel wraps outputs as `{type: "text" | "json" | "error-text" | "error-json", value}`. */
function resultValue(value: Json | undefined): { value: Json; failed?: boolean } | undefined {
  if (value === undefined) return undefined;
  const type = stringMember(value, "type");
  const inner = member(value, "value");
  if (type !== undefined && inner !== undefined && /^(error-)?(text|json|content)$/.test(type)) {
    return { value: inner, failed: type.startsWith("error-") };
  }
  return { value };
}

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
  return present({ type: "tool_use", id, name, input: input === undefined ? undefined : parseArguments(input) });
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
