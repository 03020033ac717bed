/**
 * Bedrock's Converse: content blocks without a type, whose key says what they are; results in the next user message.
 * Its stream is binary frames, which are not read here.
 */

import { responseParts } from "../trace/content.ts";
import { isObject, type Json, type JsonObject, member, numberMember, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { countRole, namedCalls, plainText } from "./chat-parts.ts";
import type { ModelResponse } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import {
  callOfPart,
  encodeTools,
  outputText,
  paramsOf,
  splitSystem,
  sumOf,
  textOfPart,
  thinkingOfPart,
  usageTotals,
} from "./encode-parts.ts";
import { parseExchange } from "./exchange.ts";
import { defineProviderApi, type Spoken, type Wire } from "./provider-api.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";
import { stopReason } from "./stop-reason.ts";

const wire: Wire = {
  name: "bedrock",
  recognise,
  isResponse: (value) => Array.isArray(member(member(member(value, "output"), "message"), "content")),
  messages: (request) => {
    const messages = Array.isArray(request) ? request : member(request, "messages");
    return Array.isArray(messages) ? messages : undefined;
  },
  system: (request) => {
    const system = member(request, "system");
    return Array.isArray(system) ? plainText(system.map(asText)) : undefined;
  },
  parse,
  reply,
  tools: (request) => {
    const tools = member(member(request, "toolConfig"), "tools");
    return Array.isArray(tools) ? tools.map((tool: Json) => member(tool, "toolSpec") ?? tool) : undefined;
  },
  model: (request) => stringMember(request, "modelId"),
  notParams: new Set([
    ...["modelId", "messages", "system", "toolConfig", "output", "usage", "metrics", "stopReason", "trace"],
    ...["$metadata", "ResponseMetadata"],
  ]),
  encodeRequest,
  encodeResponse,
};

export const bedrock = defineProviderApi(wire);

const BLOCKS = ["toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"];
/** Blocks that are neither said nor done: they stay as they are. */
const MEDIA = ["image", "document", "video", "audio", "searchResult"];

function recognise(value: Json): Recognition {
  const { request, response } = parseExchange(value, wire);
  if (response !== undefined) return { score: 0.96, has: ["output", "message"] };
  const messages = wire.messages(request ?? null);
  if (messages === undefined || messages.length === 0) return NOT_RECOGNISED;
  const blocks = messages.flatMap((message) => {
    const content = member(message, "content");
    // The service wants blocks; what people keep of it may be plain text.
    return Array.isArray(content) ? content : typeof content === "string" ? [] : [undefined];
  });
  if (blocks.length === 0) return NOT_RECOGNISED;
  if (!blocks.every((block) => isObject(block) && !Object.hasOwn(block, "type"))) return NOT_RECOGNISED;
  const own = blocks.some((block) => BLOCKS.some((key) => isObject(member(block, key))));
  const named = stringMember(request, "modelId") !== undefined;
  return own || named ? { score: 0.92, has: ["messages", "content"] } : { score: 0.65, has: ["messages", "content"] };
}

function asText(block: Json): Json {
  const text =
    stringMember(block, "text") ??
    stringMember(member(member(block, "guardContent"), "text"), "text") ??
    citedText(block);
  return text === undefined ? block : { type: "text", text };
}

/** What a model says with its sources is a text in pieces. */
function citedText(block: Json): string | undefined {
  const pieces = member(member(block, "citationsContent"), "content");
  return Array.isArray(pieces) ? pieces.map((piece: Json) => stringMember(piece, "text") ?? "").join("") : undefined;
}

function parse(message: Json, unknown: UnknownCounter): readonly Spoken[] {
  const role = stringMember(message, "role");
  const given = member(message, "content");
  const content = typeof given === "string" ? [{ text: given }] : given;
  if (role === "system" && Array.isArray(content))
    return [{ kind: "said", role, content: plainText(content.map(asText)) }];
  if ((role !== "user" && role !== "assistant") || !Array.isArray(content)) {
    countRole(role, unknown);
    return [];
  }
  const results = content.flatMap(resultOf);
  // Tools that the service runs itself answer within the response.
  if (role === "assistant") return [{ kind: "model", parts: parseBlocks(content, unknown), fields: {} }, ...results];
  const rest = content.filter(
    (block) => !isObject(member(block, "toolResult")) && !isObject(member(block, "cachePoint")),
  );
  return rest.length === 0 ? results : [...results, { kind: "said", role, content: plainText(rest.map(asText)) }];
}

function resultOf(block: Json): Spoken[] {
  const result = member(block, "toolResult");
  if (!isObject(result)) return [];
  const callId = stringMember(result, "toolUseId");
  const output = resultContent(member(result, "content"));
  return [{ kind: "result", callId, output, isError: member(result, "status") === "error" }];
}

function parseBlocks(blocks: readonly Json[], unknown: UnknownCounter): JsonObject[] {
  return blocks.flatMap((block): JsonObject[] => {
    const text = stringMember(asText(block), "text");
    if (text !== undefined) return [{ type: "text", text }];
    const call = member(block, "toolUse");
    if (isObject(call)) return namedCalls([call], unknown);
    const thinking = member(block, "reasoningContent");
    if (isObject(thinking)) {
      return [{ type: "thinking", text: stringMember(member(thinking, "reasoningText"), "text") ?? "" }];
    }
    if (isObject(member(block, "cachePoint")) || isObject(member(block, "toolResult"))) return [];
    const media = MEDIA.find((key) => isObject(member(block, key)));
    if (media !== undefined) return [{ type: media, ...(block as JsonObject) }];
    unknown.add(`block: ${isObject(block) ? (Object.keys(block)[0] ?? "empty") : typeof block}`);
    return [];
  });
}

/** One text or one JSON value is what the tool returned; several blocks stay a list. */
function resultContent(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content;
  const values = content.map((block) => member(block, "json") ?? asText(block));
  const [only] = values;
  if (values.length === 1 && member(content[0], "json") !== undefined) return only;
  return plainText(values);
}

function reply(response: Json, unknown: UnknownCounter): ModelResponse {
  const content = member(member(member(response, "output"), "message"), "content");
  const usage = member(response, "usage");
  return {
    parts: parseBlocks(Array.isArray(content) ? content : [], unknown),
    usage:
      numberMember(usage, "inputTokens") === undefined && numberMember(usage, "outputTokens") === undefined
        ? undefined
        : present({
            input_tokens: numberMember(usage, "inputTokens"),
            output_tokens: numberMember(usage, "outputTokens"),
            cached_input_tokens: numberMember(usage, "cacheReadInputTokens") || undefined,
            cached_write_5m_tokens: numberMember(usage, "cacheWriteInputTokens") || undefined,
          }),
    stopReason: stopReason(stringMember(response, "stopReason"), false),
    latencyMs: numberMember(member(response, "metrics"), "latencyMs"),
  };
}

function encodeResponse(payload: JsonObject): JsonObject {
  const reason = stringMember(payload, "stop_reason");
  const usage = usageTotals(payload);
  const latencyMs = numberMember(payload, "latency_ms");
  return present({
    output: { message: { role: "assistant", content: encodeBlocks(payload) } },
    stopReason: reason === "policy_blocked" ? "content_filtered" : reason,
    usage:
      usage === undefined
        ? undefined
        : present({
            inputTokens: usage.input,
            outputTokens: usage.output,
            totalTokens: sumOf(sumOf(usage.input, usage.output), sumOf(usage.cached, usage.written)),
            cacheReadInputTokens: usage.cached,
            cacheWriteInputTokens: usage.written,
          }),
    metrics: latencyMs === undefined ? undefined : { latencyMs },
  });
}

function encodeBlocks(payload: JsonObject): JsonObject[] {
  return responseParts(payload).flatMap((part): JsonObject[] => {
    const text = textOfPart(part);
    if (text !== undefined) return [{ text }];
    const thinking = thinkingOfPart(part);
    if (thinking !== undefined) return [{ reasoningContent: { reasoningText: { text: thinking } } }];
    const call = callOfPart(part);
    if (call === undefined) return [];
    return [{ toolUse: present({ toolUseId: call.id, name: call.name, input: call.input ?? {} }) }];
  });
}

function encodeRequest(payload: JsonObject): JsonObject {
  const { system, messages } = splitSystem(payload);
  const tools = encodeTools(
    payload,
    (tool) => isObject(member(tool, "toolSpec")),
    ({ name, description, parameters }) => ({
      toolSpec: present({ name, description, inputSchema: { json: parameters ?? { type: "object", properties: {} } } }),
    }),
  );
  return present({
    modelId: stringMember(payload, "model"),
    system: system === undefined ? undefined : encodeText(system),
    messages: encodeHistory(messages),
    toolConfig: tools === undefined ? undefined : { tools },
    ...paramsOf(payload),
  });
}

function encodeHistory(messages: readonly JsonObject[]): JsonObject[] {
  const encoded: { role: string; content: JsonObject[] }[] = [];
  for (const message of messages) {
    const role = message["role"] === "assistant" ? "assistant" : "user";
    const content =
      message["role"] === "tool"
        ? [encodeResult(message)]
        : role === "assistant"
          ? encodeBlocks(message)
          : encodeText(member(message, "content"));
    const last = encoded.at(-1);
    // Roles must alternate: results and what the user says after them are one message.
    if (last?.role === "user" && role === "user") last.content.push(...content);
    else encoded.push({ role, content });
  }
  return encoded;
}

function encodeText(content: Json | undefined): JsonObject[] {
  if (!Array.isArray(content)) return [{ text: outputText(content) }];
  return content.filter(isObject).map((part) => {
    const text = textOfPart(part);
    return text === undefined ? part : { text };
  });
}

function encodeResult(message: JsonObject): JsonObject {
  const content = member(message, "content");
  return {
    toolResult: present({
      toolUseId: stringMember(message, "tool_call_id"),
      content: [isObject(content) ? { json: content } : { text: outputText(content) }],
      status: member(message, "is_error") === true ? "error" : undefined,
    }),
  };
}
