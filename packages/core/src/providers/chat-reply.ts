/**
 * What a model answered, in whatever shape a framework logged it: a message, a list of choices, candidates or
 * generations, items of the Responses API, plain text. Of several choices the first counts; the others are counted.
 */
import { firstMember, parseJsonText } from "../trace/call-shape.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member, stringifyJson, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { callsInText, isListOfCalls, type Part, parseCall, parseParts } from "./chat-parts.ts";
import { type ChatMessage, parseMessage, parseMessageOf, rawStopReason, roleOf } from "./chat-shapes.ts";
import { FURTHER_CHOICE, type UnknownCounter } from "./count-unknown.ts";
import { parseUsage } from "./usage.ts";

export interface ChatReply {
  readonly parts: readonly Part[];
  readonly stopReason?: string;
  readonly usage?: JsonObject;
  readonly model?: string;
}

/** Undefined when nothing was logged; a value of unknown shape is what the model said, as text. */
export function parseReply(value: Json | undefined, unknown: UnknownCounter): ChatReply | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") {
    const parsed = parseJsonText(value);
    if (typeof parsed === "string") return parseReply(parsed, unknown);
    // A model may well answer with JSON of its own: only a known shape is taken apart.
    return readTexts(replyOf(parsed, unknown)) ?? { parts: parseParts(value, unknown) };
  }
  return readTexts(replyOf(value, unknown)) ?? { parts: parseParts(stringifyJson(value), unknown) };
}

/** Some instrumentations write the calls of an answer as its text, or once more as its text: that is nothing the model said. */
function readTexts(reply: ChatReply | undefined): ChatReply | undefined {
  const text = reply?.parts.length === 1 ? reply.parts[0] : undefined;
  const calls = text?.["type"] === "text" ? callsInText(stringMember(text, "text") ?? "") : undefined;
  return reply !== undefined && calls !== undefined ? { ...reply, parts: calls } : withoutEchoes(reply);
}

function withoutEchoes(reply: ChatReply | undefined): ChatReply | undefined {
  const calls = reply?.parts.filter((part) => part["type"] === "tool_use") ?? [];
  if (reply === undefined || calls.length === 0) return reply;
  const parts = reply.parts.filter(
    (part) => part["type"] !== "text" || !echoes(stringMember(part, "text") ?? "", calls),
  );
  return parts.length === reply.parts.length ? reply : { ...reply, parts };
}

function echoes(text: string, calls: readonly Part[]): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const parsed = parseJsonText(text);
  const listed = member(parsed, "tool_calls") ?? member(parsed, "toolCalls") ?? parsed;
  const told = (Array.isArray(listed) ? listed : [listed]).map((call: Json) =>
    isObject(call) ? parseCall(call) : undefined,
  );
  return (
    told.length > 0 &&
    told.every((call) =>
      calls.some(
        (made) =>
          call?.["name"] !== undefined && call["name"] === made["name"] && jsonEqual(call["input"], made["input"]),
      ),
    )
  );
}

function replyOf(value: Json | undefined, unknown: UnknownCounter): ChatReply | undefined {
  if (Array.isArray(value)) return replyOfList(value, unknown);
  if (!isObject(value)) return undefined;
  for (const key of ["choices", "candidates", "generations", "output", "messages"]) {
    const inner = member(value, key);
    if (!Array.isArray(inner) && !(key === "output" && isObject(inner))) continue;
    const reply = replyOf(inner, unknown);
    if (reply !== undefined) return withTotals(reply, value);
  }
  const message = member(value, "message");
  if (isObject(message)) {
    const reply = replyOf(message, unknown);
    if (reply !== undefined) return withTotals(reply, value);
  }
  const content = member(value, "content");
  if (isObject(content) && Array.isArray(member(content, "parts"))) {
    return withTotals({ parts: parseParts(content, unknown) }, value);
  }
  return replyOfMessage(value, unknown) ?? replyOfText(value, unknown);
}

/** A message of a role, or content alone; whatever its role says, here it is the model speaking. */
function replyOfMessage(value: JsonObject, unknown: UnknownCounter): ChatReply | undefined {
  const looksLikeMessage = ["role", "content", "parts", "kwargs", "tool_calls"].some((key) =>
    Object.hasOwn(value, key),
  );
  if (!looksLikeMessage) return undefined;
  const spoken = Object.hasOwn(value, "kwargs")
    ? parseMessage(value, unknown)
    : parseMessageOf("assistant", value, unknown);
  return spoken === undefined ? undefined : replyOfMessages(spoken);
}

/** Vercel: `{text, toolCalls, finishReason}`; LangChain generations without a message: `{text, generation_info}`. */
function replyOfText(value: JsonObject, unknown: UnknownCounter): ChatReply | undefined {
  const text = member(value, "text");
  const calls = member(value, "toolCalls");
  if (typeof text !== "string" && !Array.isArray(calls)) return undefined;
  const parts = typeof text === "string" ? parseParts(text, unknown) : [];
  if (Array.isArray(calls)) parts.push(...calls.filter(isObject).map(parseCall));
  return withTotals({ parts }, value);
}

function replyOfList(list: readonly Json[], unknown: UnknownCounter): ChatReply | undefined {
  const first = list[0];
  if (first === undefined) return undefined;
  if (Array.isArray(first)) return replyOfList(first, unknown);
  if (!isObject(first)) return undefined;
  if (list.some((item) => isResponseItem(item))) return replyOfItems(list, unknown);
  if (isListOfCalls(list)) return { parts: list.map(parseCall) };
  if (list.every(isPart)) return { parts: parseParts(list, unknown) };
  const isChoice = ["index", "message", "content", "text"].some((key) => Object.hasOwn(first, key));
  if (!isChoice && !Object.hasOwn(first, "role") && !Object.hasOwn(first, "kwargs")) return undefined;
  const isHistory = list.some((item) => isObject(item) && ["user", "tool"].includes(roleOf(item) ?? ""));
  if (isHistory) return replyOfMessages(list.filter(isObject).flatMap((item) => parseMessage(item, unknown) ?? []));
  if (list.length > 1) {
    const calls = list.map((item) => callsInText(stringMember(item, "content") ?? ""));
    // A message for each call is one answer that makes them all.
    if (calls.every((made) => made !== undefined)) return { ...replyOf(first, unknown), parts: calls.flat() };
    unknown.add(FURTHER_CHOICE, list.length - 1);
  }
  return replyOf(first, unknown);
}

const RESPONSE_ITEM = /^(message|reasoning|[a-z_]+_call)$/;

function isResponseItem(item: Json): boolean {
  const type = stringMember(item, "type");
  return type !== undefined && RESPONSE_ITEM.test(type) && type !== "tool_call" && member(item, "role") !== "user";
}

function isPart(item: Json): boolean {
  const type = stringMember(item, "type");
  if (type === undefined || ["ai", "human", "constructor"].includes(type)) return false;
  // A generation names its class as parts name their kind; what it holds is a message, or what is told around one.
  return !AROUND_ANSWERS.some((key) => Object.hasOwn(item as JsonObject, key)) && !/Generation(?:Chunk)?$/.test(type);
}

const AROUND_ANSWERS = ["role", "message", "generation_info", "generationInfo"] as const;

/** Items of the Responses API: all of them together are one answer. */
function replyOfItems(list: readonly Json[], unknown: UnknownCounter): ChatReply {
  const parts: Part[] = [];
  for (const item of list) {
    if (member(item, "type") === "message") parts.push(...parseParts(member(item, "content"), unknown));
    else parts.push(...parseParts([item], unknown));
  }
  return { parts };
}

/** The last thing the assistant said. */
function replyOfMessages(messages: readonly ChatMessage[]): ChatReply | undefined {
  const last = messages.findLast((message) => message.role === "assistant");
  if (last === undefined) return undefined;
  const { stopReason, usage, model } = last;
  return present({ parts: last.parts, stopReason, usage, model });
}

/** Adds what stands around the answer: reason, model and token counts of the whole response. */
function withTotals(reply: ChatReply, value: JsonObject): ChatReply {
  const output = member(value, "llm_output");
  const stopReason = reply.stopReason ?? rawStopReason(value);
  const usage =
    reply.usage ??
    parseUsage(firstMember(value, ["usage", "usage_metadata", "usageMetadata", "tokenUsage"])) ??
    parseUsage(firstMember(output, ["token_usage", "usage", "tokenUsage"]));
  const model = reply.model ?? stringMember(value, "model") ?? stringMember(output, "model_name");
  return present({ parts: reply.parts, stopReason, usage, model });
}
