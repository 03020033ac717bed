/**
 * OpenAI chat completions: lists of messages, fine-tuning files, requests with their responses, batch files; also the many
 * services that speak the same dialect. Arguments are JSON text; a tool's failure is not marked, so none is reported.
 */
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { encodeChatRequest, encodeChatResponse } from "./chat-encode.ts";
import { countRole, plainText } from "./chat-parts.ts";
import { type ChatMessage, parseMessage, parseMessageOf } from "./chat-shapes.ts";
import type { ModelResponse } from "./conversation.ts";
import { FURTHER_CHOICE, type UnknownCounter } from "./count-unknown.ts";
import { parseExchange } from "./exchange.ts";
import { defineProviderApi, type Spoken, splitChoices, type Wire } from "./provider-api.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";
import { stopReason } from "./stop-reason.ts";
import { parseUsage } from "./usage.ts";

const wire: Wire = {
  name: "chat",
  recognise,
  isResponse: (value) => Array.isArray(member(value, "choices")),
  messages: (request) => {
    const messages = Array.isArray(request) ? request : member(request, "messages");
    return Array.isArray(messages) ? messages : undefined;
  },
  system: () => undefined,
  parse,
  reply,
  choices: (response) => splitChoices(response, "choices"),
  notParams: new Set([
    ...["model", "messages", "tools", "functions", "choices", "usage", "id", "object", "created", "metadata"],
  ]),
  encodeRequest: encodeChatRequest,
  encodeResponse: encodeChatResponse,
};

export const chat = defineProviderApi(wire);

const ROLES = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

function recognise(value: Json): Recognition {
  const { request, response } = parseExchange(value, wire);
  if (response !== undefined && isObject(member(firstChoice(response), "message")))
    return { score: 0.85, has: ["choices"] };
  const messages = wire.messages(request ?? null);
  if (messages === undefined || messages.length === 0) return NOT_RECOGNISED;
  if (!messages.every((message) => ROLES.has(stringMember(message, "role") ?? ""))) return NOT_RECOGNISED;
  const calls = messages.some(
    (message) => Array.isArray(member(message, "tool_calls")) || member(message, "role") === "tool",
  );
  return { score: calls ? 0.7 : 0.6, has: ["messages", ...(calls ? ["tool_calls"] : [])] };
}

function firstChoice(response: Json): Json | undefined {
  const choices = member(response, "choices");
  return Array.isArray(choices) ? choices[0] : undefined;
}

function parse(message: Json, unknown: UnknownCounter): readonly Spoken[] {
  const role = stringMember(message, "role");
  if (!isObject(message) || role === undefined || !ROLES.has(role)) {
    countRole(role, unknown);
    return [];
  }
  if (role !== "assistant" && role !== "tool" && role !== "function") {
    return [{ kind: "said", role, content: plainText(member(message, "content")) }];
  }
  return (parseMessage(message, unknown) ?? []).map((parsed) => spokenOf(parsed, message));
}

function spokenOf(parsed: ChatMessage, message: JsonObject): Spoken {
  const { result } = parsed;
  if (result !== undefined) {
    const output = plainText(result.output);
    return { kind: "result", callId: result.callId, output, isError: result.failed === true };
  }
  return { kind: "model", parts: parsed.parts.concat(refusalParts(message)), fields: refusalFields(message) };
}

function reply(response: Json, unknown: UnknownCounter): ModelResponse {
  const choices = member(response, "choices");
  if (Array.isArray(choices) && choices.length > 1) unknown.add(FURTHER_CHOICE, choices.length - 1);
  const choice = firstChoice(response);
  const message = member(choice, "message");
  if (choice !== undefined && !isObject(message)) unknown.add("choice without a message");
  const spoken = isObject(message) ? (parseMessageOf("assistant", message, unknown) ?? []) : [];
  const parts = spoken.flatMap((part) =>
    part.result === undefined ? [...part.parts, ...refusalParts(message as JsonObject)] : [],
  );
  const asksForTool = parts.some((part) => part["type"] === "tool_use");
  return {
    parts,
    model: stringMember(response, "model"),
    usage: parseUsage(member(response, "usage")),
    stopReason: stopReason(stringMember(choice, "finish_reason"), asksForTool),
    ...(isObject(message) ? refusalFields(message) : {}),
  };
}

/** The API says in a member of its own that the model declined. */
function refusalParts(message: JsonObject): JsonObject[] {
  const refusal = stringMember(message, "refusal");
  return refusal ? [{ type: "text", text: refusal }] : [];
}

function refusalFields(message: JsonObject): Omit<ModelResponse, "parts"> {
  return stringMember(message, "refusal") ? { stopReason: "refusal" } : {};
}
