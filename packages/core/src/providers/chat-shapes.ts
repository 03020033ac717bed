/**
 * Requests and replies of a model as frameworks log them → `.agentlog` messages. One reader for every shape, because
 * telemetry mixes them freely: OpenAI chat and Responses, Anthropic, Gemini, LangChain (plain and `constructor` form),
 * Vercel, OpenTelemetry parts; as values, as JSON text, and as JSON text inside JSON text.
 */
import { firstMember, parseJsonText } from "../trace/call-shape.ts";
import { isObject, type Json, type JsonObject, member, stringifyJson, stringMember } from "../trace/json.ts";
import { callsInText, namedCalls, type Part, parseParts } from "./chat-parts.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import { historyMemory } from "./history-memory.ts";
import { parseUsage } from "./usage.ts";

/** A message before it is written down; a tool result stands alone with the id of its call. */
export interface ChatMessage {
  readonly role: string;
  readonly parts: readonly Part[];
  /** For role `tool`. */
  readonly result?: {
    readonly callId?: string;
    readonly name?: string;
    readonly output?: Json;
    readonly failed?: boolean;
  };
  readonly stopReason?: string;
  readonly usage?: JsonObject;
  readonly model?: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Json[];
  readonly model?: string;
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ["system", "system"],
  ["developer", "system"],
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["model", "assistant"],
  ["tool", "tool"],
  ["function", "tool"],
  ["SystemMessage", "system"],
  ["HumanMessage", "user"],
  ["HumanMessageChunk", "user"],
  ["AIMessage", "assistant"],
  ["AIMessageChunk", "assistant"],
  ["ToolMessage", "tool"],
  ["FunctionMessage", "tool"],
]);

/** What was sent to the model; a text that is no known shape is what the user said. */
export function parseRequest(value: Json | undefined, unknown: UnknownCounter): ChatRequest {
  if (value === undefined || value === null || value === "") return { messages: [] };
  if (typeof value === "string") {
    const parsed = parseJsonText(value);
    if (typeof parsed === "string") return parseRequest(parsed, unknown);
    return requestOf(parsed, unknown) ?? requestOfTranscript(value, unknown);
  }
  return (
    requestOf(value, unknown) ?? { messages: [{ role: "user", parts: parseParts(stringifyJson(value), unknown) }] }
  );
}

/** `system: …\nuser: …`, as some instrumentations flatten a conversation; any other text is what the user said. */
function requestOfTranscript(text: string, unknown: UnknownCounter): ChatRequest {
  if (!/^(system|developer|user): /.test(text))
    return { messages: [{ role: "user", parts: parseParts(text, unknown) }] };
  const messages = text.split(/\n(?=(?:system|developer|user|assistant|tool): )/).map((line): ChatMessage => {
    const colon = line.indexOf(": ");
    const role = ROLES.get(line.slice(0, colon))!;
    const said = line.slice(colon + 2);
    if (role === "tool") return { role, parts: [], result: { output: said } };
    // Python's word for no content.
    return { role, parts: said === "None" ? [] : parseParts(said, unknown) };
  });
  return { messages };
}

function requestOf(value: Json | undefined, unknown: UnknownCounter): ChatRequest | undefined {
  if (Array.isArray(value)) return requestOfList(value, unknown);
  if (!isObject(value)) return undefined;
  const config = member(value, "config");
  const system =
    firstMember(value, ["system", "system_instruction", "instructions"]) ?? member(config, "system_instruction");
  const body = firstMember(value, ["messages", "contents", "input", "prompt", "args", "new_message"]);
  const tools = toolDefinitions(member(value, "tools") ?? member(config, "tools"));
  const model = stringMember(value, "model");
  const rest = { ...(tools === undefined ? {} : { tools }), ...(model === undefined ? {} : { model }) };
  if (body === undefined) {
    const single = parseMessage(value, unknown);
    return single === undefined ? undefined : { messages: single, ...rest };
  }
  const inner = parseRequest(body, unknown);
  const opening = system === undefined ? [] : [{ role: "system", parts: parseParts(system, unknown) }];
  return { messages: [...opening, ...inner.messages], ...(inner.tools ? { tools: inner.tools } : {}), ...rest };
}

function requestOfList(list: readonly Json[], unknown: UnknownCounter): ChatRequest | undefined {
  const messages: ChatMessage[] = [];
  const tools: Json[] = [];
  const called = new Set<string>();
  const memory = historyMemory<readonly ChatMessage[]>(unknown);
  const read: (readonly ChatMessage[] | undefined)[] = memory.beginningOf(list);
  const asked: string[] = [];
  for (const known of read) addRead(known!, messages, called);
  let hasMessages = read.length > 0;
  for (let index = read.length; index < list.length; index++) {
    const item = list[index]!;
    read.push(undefined);
    if (Array.isArray(item)) {
      const inner = requestOfList(item, unknown);
      if (inner === undefined) return undefined;
      for (const message of inner.messages) messages.push(message);
      tools.push(...(inner.tools ?? []));
    } else if (isObject(item)) {
      const definition = smuggledDefinition(item);
      if (definition !== undefined) {
        tools.push(definition);
        continue;
      }
      const told = askedByTool(item);
      if (told !== undefined) {
        asked.push(...told);
        continue;
      }
      const before = unknown.total;
      const parsed = answering(asked, parseMessage(asToolMessage(item, called), unknown));
      if (parsed === undefined) return undefined;
      // What was not understood must be counted each time that it is said.
      if (unknown.total === before) read[index] = parsed;
      addRead(parsed, messages, called);
      hasMessages = true;
    } else if (typeof item === "string") messages.push({ role: "user", parts: parseParts(item, unknown) });
    else return undefined;
  }
  // A list of lists remembers the inner one.
  if (hasMessages) memory.keep(list, read);
  return tools.length === 0 ? { messages } : { messages, tools };
}

function addRead(read: readonly ChatMessage[], messages: ChatMessage[], called: Set<string>): void {
  for (const message of read) {
    messages.push(message);
    for (const part of message.parts) {
      const name = calledTool(part);
      if (name) called.add(name);
    }
  }
}

/** Langfuse's LangChain handler logs tool definitions as messages of role "tool": they are no results. */
function smuggledDefinition(item: JsonObject): Json | undefined {
  const content = member(item, "content");
  const isDefinition = member(item, "role") === "tool" && member(content, "type") === "function";
  return isDefinition && isObject(member(content, "function")) ? content : undefined;
}

/** Koog tells a call as a message of role "tool" before the one with its result: the ids of such calls. */
function askedByTool(item: JsonObject): string[] | undefined {
  if (member(item, "role") !== "tool") return undefined;
  return callsInText(stringMember(item, "content") ?? "")?.flatMap((call) => stringMember(call, "id") ?? []);
}

/** Gives a result without an id that of the oldest call that waits for one. */
function answering(asked: string[], messages: ChatMessage[] | undefined): ChatMessage[] | undefined {
  if (asked.length === 0) return messages;
  return messages?.map((message) => {
    const callId = message.result === undefined ? undefined : (message.result.callId ?? asked.shift());
    return callId === undefined ? message : { ...message, result: { ...message.result, callId } };
  });
}

/** LangChain.js names the role of a tool message after its tool. */
function asToolMessage(item: JsonObject, called: ReadonlySet<string>): JsonObject {
  const role = stringMember(item, "role");
  return role !== undefined && called.has(role) && !ROLES.has(role) ? { ...item, role: "tool", name: role } : item;
}

function calledTool(part: Part): string | undefined {
  return part["type"] === "tool_use" ? stringMember(part, "name") : undefined;
}

/** Definitions of every SDK as one list; Gemini groups them under `function_declarations`. */
export function toolDefinitions(value: Json | undefined): Json[] | undefined {
  const list = typeof value === "string" ? parseJsonText(value) : value;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item: Json) => {
    const definition = typeof item === "string" ? (parseJsonText(item) ?? item) : item;
    const grouped = member(definition, "function_declarations") ?? member(definition, "functionDeclarations");
    return Array.isArray(grouped) ? [...grouped] : [definition];
  });
}

/** One logged message; several when it carries tool results. Undefined when it is no message at all. */
export function parseMessage(item: JsonObject, unknown: UnknownCounter): ChatMessage[] | undefined {
  const kwargs = member(item, "kwargs");
  if (isObject(kwargs)) {
    const path = member(item, "id");
    return messageFrom(kwargs, Array.isArray(path) ? lastText(path) : undefined, unknown);
  }
  const inner = member(item, "message");
  if (isObject(inner)) return withReason(parseMessage(inner, unknown), rawStopReason(item));
  const data = member(item, "data");
  if (isObject(data) && typeof member(item, "type") === "string")
    return messageFrom(data, stringMember(item, "type"), unknown);
  const type = stringMember(item, "type");
  if (type !== undefined && type !== "message" && !ROLES.has(type) && member(item, "role") === undefined) {
    return messageOfItem(item, type, unknown);
  }
  return messageFrom(item, undefined, unknown);
}

/** The same for a message whose role is known from what stands around it, whatever it says itself. */
export function parseMessageOf(role: string, item: JsonObject, unknown: UnknownCounter): ChatMessage[] | undefined {
  const wraps = isObject(member(item, "kwargs")) || isObject(member(item, "message")) || isObject(member(item, "data"));
  return wraps ? parseMessage({ ...item, role }, unknown) : messageFrom(item, role, unknown);
}

/** Who speaks, when the message says so itself. */
export function roleOf(item: JsonObject): string | undefined {
  const path = member(item, "id");
  const named = isObject(member(item, "kwargs")) && Array.isArray(path) ? lastText(path) : stringMember(item, "role");
  return named === undefined ? undefined : ROLES.get(named);
}

function lastText(path: readonly Json[]): string | undefined {
  const last = path.at(-1);
  return typeof last === "string" ? last : undefined;
}

function withReason(messages: ChatMessage[] | undefined, stopReason: string | undefined): ChatMessage[] | undefined {
  if (stopReason === undefined || messages === undefined) return messages;
  return messages.map((message) => ({ ...message, stopReason }));
}

/** Items of the Responses API that are not messages: calls, their outputs, reasoning. */
function messageOfItem(item: JsonObject, type: string, unknown: UnknownCounter): ChatMessage[] | undefined {
  if (!/(_call|_call_output|^reasoning)$/.test(type)) return undefined;
  const parts = parseParts([item], unknown);
  return splitResults("assistant", parts, {});
}

function messageFrom(
  item: JsonObject,
  givenRole: string | undefined,
  unknown: UnknownCounter,
): ChatMessage[] | undefined {
  const spelled = givenRole ?? stringMember(item, "role") ?? stringMember(item, "type");
  const content = firstMember(item, ["content", "parts"]);
  if (spelled === undefined && content === undefined) return undefined;
  const role = ROLES.get(spelled ?? "user") ?? "user";
  if (role === "tool" && !hasResultParts(content)) return [toolMessage(item, content)];
  const parts = parseParts(content, unknown);
  const reasoning = reasoningOf(item);
  if (reasoning) parts.unshift({ type: "thinking", text: reasoning });
  for (const call of callsBeside(item, parts, unknown)) parts.push(call);
  const stopReason = rawStopReason(item);
  const usage = parseUsage(firstMember(item, ["usage", "usage_metadata"]));
  const model = stringMember(item, "model") ?? stringMember(member(item, "response_metadata"), "model_name");
  if (stopReason === undefined && usage === undefined && model === undefined)
    return splitResults(role, parts, NO_EXTRAS);
  const extras: { -readonly [K in keyof Extras]: Extras[K] } = {};
  if (stopReason !== undefined) extras.stopReason = stopReason;
  if (usage !== undefined) extras.usage = usage;
  if (model !== undefined) extras.model = model;
  return splitResults(role, parts, extras);
}

/** What a model thought, beside the content: DeepSeek and its like, OpenRouter, Groq and vLLM, Ollama. */
function reasoningOf(item: JsonObject): string | undefined {
  return stringMember(item, "reasoning_content") || stringMember(item, "reasoning") || stringMember(item, "thinking");
}

function hasResultParts(content: Json | undefined): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((part: Json) => {
    const type = stringMember(part, "type")?.replaceAll("-", "_");
    return type === "tool_result" || type === "tool_call_response" || isObject(member(part, "function_response"));
  });
}

function toolMessage(item: JsonObject, content: Json | undefined): ChatMessage {
  const callId = stringMember(item, "tool_call_id") ?? stringMember(item, "toolCallId") ?? stringMember(item, "id");
  const name = stringMember(item, "name");
  const failed = member(item, "status") === "error" || member(item, "is_error") === true;
  return resultMessage(callId || undefined, name, content, failed);
}

function resultMessage(
  callId: string | undefined,
  name: string | undefined,
  output: Json | undefined,
  failed: boolean,
): ChatMessage {
  const result: { -readonly [K in keyof Result]: Result[K] } = {};
  if (callId !== undefined) result.callId = callId;
  if (name !== undefined) result.name = name;
  if (output !== undefined) result.output = output;
  if (failed) result.failed = true;
  return { role: "tool", parts: NO_PARTS, result };
}

type Result = NonNullable<ChatMessage["result"]>;

const NO_PARTS: readonly Part[] = [];

/** Calls written beside the content (OpenAI, LangChain); those already among the parts are not repeated. */
function callsBeside(item: JsonObject, parts: readonly Part[], unknown: UnknownCounter): readonly Part[] {
  const kwargs = member(item, "additional_kwargs");
  const legacy = member(item, "function_call") ?? member(kwargs, "function_call");
  const calls =
    listOfCalls(member(item, "tool_calls")) ??
    listOfCalls(member(item, "toolCalls")) ??
    listOfCalls(member(kwargs, "tool_calls")) ??
    (isObject(legacy) ? [legacy] : undefined);
  if (calls === undefined) return NO_PARTS;
  const named = namedCalls(calls.filter(isObject).map(toolCallOf), unknown);
  if (parts.length === 0) return named;
  const seen = new Set(parts.map((part) => stringMember(part, "id")).filter((id) => id !== undefined));
  return named.filter((call) => !seen.has(stringMember(call, "id") ?? ""));
}

function listOfCalls(given: Json | undefined): readonly Json[] | undefined {
  const list = typeof given === "string" ? parseJsonText(given) : given;
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

/** OpenInference wraps each call once more. */
function toolCallOf(call: JsonObject): JsonObject {
  const inner = member(call, "tool_call");
  return isObject(inner) ? inner : call;
}

type Extras = Pick<ChatMessage, "stopReason" | "usage" | "model">;

const NO_EXTRAS: Extras = {};

function isResult(part: Part): boolean {
  return part["type"] === "tool_result";
}

/** Each tool result becomes a message of its own; what else the message says stays with its role. */
function splitResults(role: string, parts: readonly Part[], extras: Extras): ChatMessage[] {
  if (!parts.some(isResult)) return [extras === NO_EXTRAS ? { role, parts } : { role, parts, ...extras }];
  const rest = parts.filter((part) => !isResult(part));
  const messages = parts.filter(isResult).map((part) => {
    const failed = part["is_error"] === true;
    return resultMessage(
      stringMember(part, "tool_use_id"),
      stringMember(part, "name"),
      member(part, "content"),
      failed,
    );
  });
  return rest.length === 0 ? messages : [...messages, { role, parts: rest, ...extras }];
}

/** The reason a generation ended, in the source's own words. */
export function rawStopReason(item: Json | undefined): string | undefined {
  const reason =
    firstMember(item, ["finish_reason", "finishReason", "stop_reason", "stopReason"]) ??
    firstMember(member(item, "response_metadata"), ["finish_reason", "stop_reason"]) ??
    firstMember(member(item, "generation_info"), ["finish_reason"]);
  return typeof reason === "string" ? reason : undefined;
}
