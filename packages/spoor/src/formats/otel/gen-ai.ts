/**
 * A model call told by `gen_ai.*` attributes, in each of their generations: messages as span attributes (newest), one
 * event per message, and messages flattened into indexed attributes (oldest, OpenLLMetry). Google's ADK puts the whole
 * request and response under `gcp.vertex.agent.*`.
 */

import type { Json, JsonObject } from "@spoor/core";
import { type ChatReply, parseReply } from "@spoor/core/internal/providers/chat-reply";
import { type ChatRequest, parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { tokenUsage } from "@spoor/core/internal/providers/usage";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member } from "@spoor/core/internal/trace/json";
import type { ModelCall } from "../activities/activity.ts";
import { type Attributes, countOf, jsonOf, listUnder, textOf } from "./attributes.ts";
import type { Span, SpanEvent } from "./spans.ts";

export function genAiModelCall(span: Span, unknown: UnknownCounter): ModelCall {
  const { attributes } = span;
  const spoken = newestMessages(span, unknown) ?? eventMessages(eventsOf(span), unknown);
  const { request, reply } = spoken ?? indexedMessages(attributes, unknown) ?? vendorMessages(attributes, unknown);
  return {
    kind: "model",
    request,
    reply,
    requestModel: textOf(attributes, "gen_ai.request.model"),
    responseModel: textOf(attributes, "gen_ai.response.model"),
    params: requestParams(attributes),
    tools: definedTools(attributes),
    usage: genAiUsage(attributes),
    stopReason: finishReason(attributes),
  };
}

interface Spoken {
  readonly request: ChatRequest;
  readonly reply?: ChatReply | undefined;
}

/** `gen_ai.input.messages` and `gen_ai.output.messages`, on the span or on its operation-details event. */
function newestMessages(span: Span, unknown: UnknownCounter): Spoken | undefined {
  const details = span.events.find((event) => event.name === "gen_ai.client.inference.operation.details");
  for (const attributes of [span.attributes, details?.attributes]) {
    if (attributes === undefined) continue;
    const input = jsonOf(attributes, "gen_ai.input.messages");
    const output = jsonOf(attributes, "gen_ai.output.messages");
    if (input === undefined && output === undefined) continue;
    // Exporters cut long attributes: what is left of a list is no list, and calls in it are lost.
    if (isCut(input)) unknown.add("gen_ai.input.messages that is no JSON");
    if (isCut(output)) unknown.add("gen_ai.output.messages that is no JSON");
    const system = jsonOf(attributes, "gen_ai.system_instructions");
    const request = parseRequest(input, unknown);
    const opening = system === undefined ? [] : parseRequest({ role: "system", content: system }, unknown).messages;
    return { request: { ...request, messages: [...opening, ...request.messages] }, reply: parseReply(output, unknown) };
  }
  return undefined;
}

function isCut(value: Json | undefined): boolean {
  return typeof value === "string" && /^\s*[[{]/.test(value);
}

const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** The span's events; Pydantic AI can put them into one attribute instead. */
function eventsOf(span: Span): readonly SpanEvent[] {
  const listed = jsonOf(span.attributes, "events");
  if (span.events.some((event) => event.name.startsWith("gen_ai.")) || !Array.isArray(listed)) return span.events;
  return listed.filter(isObject).map((event) => {
    const name = member(event, "event.name");
    return { name: typeof name === "string" ? name : "", attributes: new Map<string, Json>([["body", event]]) };
  });
}

/** One event per message, `gen_ai.choice` for the answer; before that, `gen_ai.content.prompt` and `.completion`. */
function eventMessages(events: readonly SpanEvent[], unknown: UnknownCounter): Spoken | undefined {
  const messages: Json[] = [];
  const choices: Json[] = [];
  let prompt: Json | undefined;
  let completion: Json | undefined;
  for (const event of events) {
    const role = MESSAGE_EVENT.exec(event.name)?.[1];
    if (role !== undefined) messages.push({ role, ...eventBody(event.attributes) });
    else if (event.name === "gen_ai.choice") choices.push(eventBody(event.attributes));
    else if (event.name === "gen_ai.content.prompt") prompt = jsonOf(event.attributes, "gen_ai.prompt");
    else if (event.name === "gen_ai.content.completion") completion = jsonOf(event.attributes, "gen_ai.completion");
  }
  const output = choices.length > 0 ? choices : completion;
  if (messages.length === 0 && output === undefined && prompt === undefined) return undefined;
  const request = parseRequest(messages.length > 0 ? messages : prompt, unknown);
  return { request, reply: parseReply(output, unknown) };
}

/** The body of a log-like event: its attributes, some of them JSON text, or all of it under one attribute. */
function eventBody(attributes: Attributes): JsonObject {
  const whole = jsonOf(attributes, "gen_ai.event.content", "event.body", "body");
  if (isObject(whole)) return whole;
  const body: Record<string, Json> = {};
  for (const key of [
    "role",
    "content",
    "name",
    "id",
    "tool_call_id",
    "index",
    "finish_reason",
    "message",
    "tool_calls",
  ]) {
    const value = attributes.get(key);
    if (value === undefined) continue;
    const structured = key === "message" || key === "tool_calls";
    body[key] = structured && typeof value === "string" ? (parseJsonText(value) ?? value) : value;
  }
  if (typeof body["message"] === "string") body["content"] = body["message"];
  return body;
}

function indexedMessages(attributes: Attributes, unknown: UnknownCounter): Spoken | undefined {
  const prompt = listUnder(attributes, "gen_ai.prompt") ?? jsonOf(attributes, "gen_ai.prompt");
  const completion = listUnder(attributes, "gen_ai.completion") ?? jsonOf(attributes, "gen_ai.completion");
  if (prompt === undefined && completion === undefined) return undefined;
  const answers = Array.isArray(completion) ? completion.map((answer: Json) => withRole(answer)) : completion;
  return { request: parseRequest(prompt, unknown), reply: parseReply(answers, unknown) };
}

function withRole(answer: Json): Json {
  return isObject(answer) && member(answer, "role") === undefined ? { role: "assistant", ...answer } : answer;
}

function vendorMessages(attributes: Attributes, unknown: UnknownCounter): Spoken {
  const request = jsonOf(attributes, "gcp.vertex.agent.llm_request");
  const response = jsonOf(attributes, "gcp.vertex.agent.llm_response");
  const isEmpty = (value: Json | undefined) => isObject(value) && Object.keys(value).length === 0;
  return {
    request: parseRequest(isEmpty(request) ? undefined : request, unknown),
    reply: parseReply(isEmpty(response) ? undefined : response, unknown),
  };
}

/** A list, a JSON text of a list, or one word; `["stop"]` as text is the word stop. */
export function finishReason(attributes: Attributes): string | undefined {
  const reasons = jsonOf(
    attributes,
    "gen_ai.response.finish_reasons",
    "llm.response.finish_reason",
    "llm.finish_reason",
  );
  const reason = Array.isArray(reasons) ? reasons[0] : reasons;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

/** The conventions count cached and reasoning tokens inside the totals. */
function genAiUsage(attributes: Attributes): JsonObject | undefined {
  const cached = countOf(
    attributes,
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.details.cache_read_tokens",
  );
  const written = countOf(
    attributes,
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
  );
  const thinking = countOf(
    attributes,
    "gen_ai.usage.reasoning.output_tokens",
    "gen_ai.usage.reasoning_tokens",
    "llm.usage.reasoning_tokens",
  );
  return tokenUsage({
    input: countOf(attributes, "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    output: countOf(attributes, "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    cached,
    written,
    thinking,
    includedInput: (cached ?? 0) + (written ?? 0),
    includedOutput: thinking ?? 0,
  });
}

const PARAMS: readonly (readonly [name: string, attribute: string])[] = [
  ["temperature", "gen_ai.request.temperature"],
  ["top_p", "gen_ai.request.top_p"],
  ["top_k", "gen_ai.request.top_k"],
  ["max_tokens", "gen_ai.request.max_tokens"],
  ["stop", "gen_ai.request.stop_sequences"],
  ["seed", "gen_ai.request.seed"],
  ["frequency_penalty", "gen_ai.request.frequency_penalty"],
  ["presence_penalty", "gen_ai.request.presence_penalty"],
];

function requestParams(attributes: Attributes): JsonObject | undefined {
  let params: Record<string, Json> | undefined;
  for (const [name, attribute] of PARAMS) {
    const value = jsonOf(attributes, attribute);
    if (value !== undefined) params = { ...params, [name]: value };
  }
  return params;
}

function definedTools(attributes: Attributes): Json[] | undefined {
  const newest = toolDefinitions(jsonOf(attributes, "gen_ai.tool.definitions"));
  if (newest !== undefined) return newest;
  const indexed = listUnder(attributes, "llm.request.functions");
  return indexed?.map((tool) => {
    const parameters = member(tool, "parameters");
    const schema = typeof parameters === "string" ? parseJsonText(parameters) : undefined;
    return isObject(tool) && schema !== undefined ? { ...tool, parameters: schema } : tool;
  });
}
