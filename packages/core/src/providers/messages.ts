/**
 * Anthropic messages: requests, responses, pairs of both, and bare lists of messages with `tool_use` and `tool_result`
 * blocks. Results travel in the next user message and say themselves whether they failed.
 */
import { isObject, type Json, member, stringMember } from "../trace/json.ts";
import { countRole, parseParts, plainText } from "./chat-parts.ts";
import type { ModelResponse } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import { parseExchange } from "./exchange.ts";
import { encodeMessagesRequest, encodeMessagesResponse } from "./messages-encode.ts";
import { defineProviderApi, type Spoken, type Wire } from "./provider-api.ts";
import { anthropicUsage } from "./provider-usage.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";
import { stopReason } from "./stop-reason.ts";

const wire: Wire = {
  name: "messages",
  recognise,
  isResponse: (value) => member(value, "type") === "message" && Array.isArray(member(value, "content")),
  messages: (request) => {
    const messages = Array.isArray(request) ? request : member(request, "messages");
    return Array.isArray(messages) ? messages : undefined;
  },
  system: (request) => plainText(member(request, "system")),
  parse,
  reply: (response, unknown) => ({
    parts: parseParts(member(response, "content"), unknown),
    ...responseFields(response),
  }),
  notParams: new Set([
    ...["model", "messages", "system", "tools", "id", "type", "role", "content", "usage"],
    ...["stop_reason", "stop_sequence"],
  ]),
  encodeRequest: encodeMessagesRequest,
  encodeResponse: encodeMessagesResponse,
};

export const messages = defineProviderApi(wire);

const OWN_BLOCKS = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"]);

function recognise(value: Json): Recognition {
  const { request, response } = parseExchange(value, wire);
  if (response !== undefined) {
    const fits = member(response, "role") === "assistant";
    return { score: fits ? 0.95 : 0.4, has: ["type", "content"] };
  }
  const list = wire.messages(request ?? null);
  if (list === undefined || list.length === 0) return NOT_RECOGNISED;
  const blocks = list.some((message) => hasOwnBlock(member(message, "content")));
  const roles = list.every((message) => ["user", "assistant"].includes(stringMember(message, "role") ?? ""));
  if (blocks && roles) return { score: 0.9, has: ["messages", "content"] };
  const system = member(request, "system") !== undefined && roles;
  return system ? { score: 0.75, has: ["messages", "system"] } : NOT_RECOGNISED;
}

function hasOwnBlock(content: Json | undefined): boolean {
  return Array.isArray(content) && content.some((part) => OWN_BLOCKS.has(stringMember(part, "type") ?? ""));
}

function parse(message: Json, unknown: UnknownCounter): readonly Spoken[] {
  const role = stringMember(message, "role");
  if (!isObject(message) || (role !== "user" && role !== "assistant" && role !== "system")) {
    countRole(role, unknown);
    return [];
  }
  const content = member(message, "content");
  if (role === "assistant")
    return [{ kind: "model", parts: parseParts(content, unknown), fields: responseFields(message) }];
  if (!Array.isArray(content)) return [{ kind: "said", role, content }];
  const results = content.flatMap((part): Spoken[] => {
    if (member(part, "type") !== "tool_result") return [];
    const output = plainText(member(part, "content"));
    return [
      { kind: "result", callId: stringMember(part, "tool_use_id"), output, isError: member(part, "is_error") === true },
    ];
  });
  const rest = content.filter((part) => member(part, "type") !== "tool_result");
  return rest.length === 0 ? results : [...results, { kind: "said", role, content: plainText(rest) }];
}

function responseFields(response: Json): Omit<ModelResponse, "parts"> {
  return {
    model: stringMember(response, "model"),
    stopReason: stopReason(stringMember(response, "stop_reason"), false),
    usage: anthropicUsage(member(response, "usage")),
  };
}
