/**
 * Gemini's `generateContent`: requests with `contents`, responses with `candidates`. Parts have no type, the key says what
 * they are. Calls mostly have no id: they are numbered per tool (`lookup#0`, `lookup#1`) through the whole conversation,
 * and results answer them by name, in order.
 */
import { firstMember } from "../trace/call-shape.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { parseParts, plainText } from "./chat-parts.ts";
import { toolDefinitions } from "./chat-shapes.ts";
import type { ModelResponse } from "./conversation.ts";
import { FURTHER_CHOICE, type UnknownCounter } from "./count-unknown.ts";
import { parseExchange } from "./exchange.ts";
import { encodeGeminiRequest, encodeGeminiResponse } from "./gemini-encode.ts";
import { defineProviderApi, type Spoken, splitChoices, type Wire } from "./provider-api.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";
import { stopReason } from "./stop-reason.ts";
import { parseUsage } from "./usage.ts";

const wire: Wire = {
  name: "gemini",
  recognise,
  isResponse: (value) => Array.isArray(member(value, "candidates")) || isObject(feedbackOf(value)),
  messages: (request) => {
    const contents = contentsOf(request);
    return contents === undefined ? undefined : numberCalls(contents);
  },
  system: (request) => {
    const system = systemOf(request);
    return plainText(member(system, "parts") === undefined ? system : parsePlain(member(system, "parts")));
  },
  parse,
  reply,
  choices: (response) => splitChoices(response, "candidates"),
  tools: (request) => toolDefinitions(member(request, "tools") ?? member(member(request, "config"), "tools")),
  notParams: new Set([
    ...["model", "contents", "systemInstruction", "system_instruction", "tools", "candidates", "usageMetadata"],
    ...["modelVersion", "responseId", "createTime", "promptFeedback", "usage_metadata", "model_version"],
    ...["response_id", "create_time", "prompt_feedback"],
  ]),
  encodeRequest: encodeGeminiRequest,
  encodeResponse: encodeGeminiResponse,
};

export const gemini = defineProviderApi(wire);

const CALL = ["functionCall", "function_call"];
const RESULT = ["functionResponse", "function_response"];

function recognise(value: Json): Recognition {
  const { request, response } = parseExchange(value, wire);
  if (response !== undefined) return { score: 0.95, has: ["candidates"] };
  const contents = contentsOf(request ?? null);
  if (contents === undefined || contents.length === 0) return NOT_RECOGNISED;
  const fits = contents.every(
    (content) => ["user", "model", "function"].includes(stringMember(content, "role") ?? "user") && hasParts(content),
  );
  // Messages of the AI SDK have `parts` too; theirs have types.
  return fits ? { score: 0.9, has: ["contents", "parts"] } : NOT_RECOGNISED;
}

function hasParts(content: Json): boolean {
  const parts = member(content, "parts");
  return Array.isArray(parts) && parts.every((part) => isObject(part) && member(part, "type") === undefined);
}

function contentsOf(request: Json): readonly Json[] | undefined {
  const contents = Array.isArray(request) ? request : member(request, "contents");
  if (typeof contents === "string") return [{ role: "user", parts: [{ text: contents }] }];
  return Array.isArray(contents) ? contents : undefined;
}

function systemOf(request: Json): Json | undefined {
  const config = member(request, "config");
  return (
    member(request, "systemInstruction") ?? member(request, "system_instruction") ?? member(config, "systemInstruction")
  );
}

function parsePlain(parts: Json | undefined): Json | undefined {
  return Array.isArray(parts) ? parts.map((part) => ({ type: "text", text: stringMember(part, "text") ?? "" })) : parts;
}

/** Gives every call and result without an id the name it is joined by. */
function numberCalls(contents: readonly Json[], calls = new Map<string, number>()): Json[] {
  const results = new Map<string, number>();
  return contents.map((content) => {
    const parts = member(content, "parts");
    if (!isObject(content) || !Array.isArray(parts)) return content;
    return { ...content, parts: parts.map((part) => numbered(numbered(part, CALL, calls), RESULT, results)) };
  });
}

function numbered(part: Json, keys: readonly string[], counts: Map<string, number>): Json {
  const key = keys.find((candidate) => isObject(member(part, candidate)));
  if (key === undefined || !isObject(part)) return part;
  const inner = member(part, key) as JsonObject;
  const name = stringMember(inner, "name") ?? "";
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return stringMember(inner, "id") ? part : { ...part, [key]: { ...inner, id: `${name}#${count}` } };
}

function parse(content: Json, unknown: UnknownCounter): readonly Spoken[] {
  const parts = parseParts(member(content, "parts"), unknown);
  if (member(content, "role") === "model") return [{ kind: "model", parts, fields: {} }];
  const rest = parts.filter((part) => part["type"] !== "tool_result");
  const results = parts.flatMap((part): Spoken[] => {
    if (part["type"] !== "tool_result") return [];
    const output = outputOf(member(part, "content"));
    return [{ kind: "result", callId: stringMember(part, "tool_use_id"), ...output }];
  });
  return rest.length === 0 ? results : [...results, { kind: "said", role: "user", content: plainText(rest) }];
}

/** The API asks for an object: `{output: …}` for what a tool returned, `{error: …}` for why it failed. */
function outputOf(response: Json | undefined): { output: Json | undefined; isError: boolean } {
  const keys = isObject(response) ? Object.keys(response) : [];
  const error = member(response, "error");
  if (error !== undefined && error !== null) return { output: keys.length === 1 ? error : response, isError: true };
  const only = keys.length === 1 ? (member(response, "output") ?? member(response, "result")) : undefined;
  return { output: only ?? response, isError: false };
}

function reply(response: Json, unknown: UnknownCounter, request?: Json): ModelResponse {
  const candidates = member(response, "candidates");
  const list = Array.isArray(candidates) ? candidates : [];
  if (list.length > 1) unknown.add(FURTHER_CHOICE, list.length - 1);
  const content = member(list[0], "content");
  const calls = new Map<string, number>();
  if (request !== undefined) numberCalls(contentsOf(request) ?? [], calls);
  const [answer] = isObject(content) ? numberCalls([content], calls) : [];
  const parts = parseParts(member(answer, "parts"), unknown);
  const asksForTool = parts.some((part) => part["type"] === "tool_use");
  const feedback = feedbackOf(response);
  const ended = textOf(list[0], "finishReason", "finish_reason") ?? textOf(feedback, "blockReason", "block_reason");
  return {
    parts,
    model: textOf(response, "modelVersion", "model_version"),
    usage: parseUsage(firstMember(response, ["usageMetadata", "usage_metadata"])),
    stopReason: stopReason(ended, asksForTool),
  };
}

/** Why a prompt got no answer. */
function feedbackOf(response: Json | undefined): Json | undefined {
  return firstMember(response, ["promptFeedback", "prompt_feedback"]);
}

/** As the API spells it, or as the Python SDK dumps it. */
function textOf(value: Json | undefined, wire: string, dumped: string): string | undefined {
  return stringMember(value, wire) ?? stringMember(value, dumped);
}
