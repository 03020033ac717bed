/**
 * The AI SDK's own shapes: `ModelMessage` lists (`CoreMessage` before version 5), `UIMessage` lists, and what `generateText`
 * returns (`steps`, or one step). A step is one model response; its results stand beside its calls.
 */
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { deniedCall, isUiMessage, parseUiMessage, UI_IGNORED } from "./ai-sdk-ui.ts";
import { countRole, parseParts, plainText } from "./chat-parts.ts";
import { parseClock } from "./clock.ts";
import type { ModelResponse } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import type { MessageReader, Spoken } from "./provider-api.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";
import { stopReason } from "./stop-reason.ts";
import { parseUsage } from "./usage.ts";

export const aiSdk: MessageReader = {
  name: "ai-sdk",
  recognise,
  isResponse: () => false,
  messages: messagesOf,
  system: (request) => member(request, "system"),
  parse,
  reply: (response, unknown) => ({ parts: contentParts(contentOf(response), unknown), ...stepFields(response) }),
  // Neither a stored chat nor a result holds the settings of a call.
  notParams: { has: () => true },
};

const MODEL_PARTS = new Set(["tool-call", "tool-result", "tool-error", "tool-approval-request"]);

function recognise(value: Json): Recognition {
  const list = messagesOf(value);
  if (list === undefined || list.length === 0) return NOT_RECOGNISED;
  if (list.every(isStep)) return { score: 0.9, has: ["content", "finishReason"] };
  if (!list.every((message) => isObject(message) && typeof member(message, "role") === "string")) return NOT_RECOGNISED;
  if (list.some(isUiMessage)) return { score: 0.93, has: ["role", "parts"] };
  const own = list.some((message) => partTypes(member(message, "content")).some((type) => MODEL_PARTS.has(type)));
  return own ? { score: 0.93, has: ["role", "content"] } : NOT_RECOGNISED;
}

function messagesOf(request: Json): readonly Json[] | undefined {
  if (Array.isArray(request)) return withApprovals(request);
  const nested = member(request, "steps") ?? member(request, "messages");
  if (Array.isArray(nested)) return withApprovals(nested);
  return isStep(request) ? [request] : undefined;
}

/** The answer to a request for approval names the request only; where no result tells of the call, it needs the call's id. */
function withApprovals(messages: readonly Json[]): readonly Json[] {
  const parts = messages.flatMap((message): readonly Json[] => {
    const content = member(message, "content");
    return Array.isArray(content) ? content : [];
  });
  if (!parts.some(isDenial)) return messages;
  const ended = new Set(parts.filter((part) => member(part, "type") === "tool-result").map(callIdOf));
  const requests = parts.filter((part) => member(part, "type") === "tool-approval-request");
  const asked = new Map(requests.map((part) => [stringMember(part, "approvalId") ?? "", callIdOf(part)]));
  const named = (part: Json): Json => {
    const toolCallId = isDenial(part) ? asked.get(stringMember(part, "approvalId") ?? "") : undefined;
    return isObject(part) && toolCallId !== undefined && !ended.has(toolCallId) ? { ...part, toolCallId } : part;
  };
  return messages.map((message) => {
    const content = member(message, "content");
    return isObject(message) && Array.isArray(content) ? { ...message, content: content.map(named) } : message;
  });
}

function isDenial(part: Json): boolean {
  return member(part, "type") === "tool-approval-response" && member(part, "approved") === false;
}

function callIdOf(part: Json): string | undefined {
  return stringMember(part, "toolCallId") ?? stringMember(member(part, "toolCall"), "toolCallId");
}

function isStep(value: Json): boolean {
  return (
    contentOf(value) !== undefined && member(value, "finishReason") !== undefined && member(value, "role") === undefined
  );
}

/** Before version 5 a step had its text, calls and results under names of their own. */
function contentOf(step: Json): readonly Json[] | undefined {
  const content = member(step, "content");
  if (Array.isArray(content))
    return content.every((part) => stringMember(part, "type") !== undefined) ? content : undefined;
  const calls = member(step, "toolCalls");
  const results = member(step, "toolResults");
  if (!Array.isArray(calls) || !Array.isArray(results)) return undefined;
  const said = (type: string, text: string | undefined) => (text ? [{ type, text }] : []);
  return [
    ...said("reasoning", stringMember(step, "reasoning")),
    ...said("text", stringMember(step, "text")),
    ...calls,
    ...results,
  ];
}

function partTypes(content: Json | undefined): string[] {
  return Array.isArray(content) ? content.map((part: Json) => stringMember(part, "type") ?? "") : [];
}

function parse(message: Json, unknown: UnknownCounter): readonly Spoken[] {
  if (isStep(message)) return parseContent(contentOf(message)!, stepFields(message), unknown);
  const role = stringMember(message, "role");
  if (role !== "system" && role !== "user" && role !== "assistant" && role !== "tool") {
    countRole(role, unknown);
    return [];
  }
  if (isUiMessage(message))
    return parseUiMessage(message as JsonObject, role, (content) => contentParts(content, unknown));
  const content = member(message, "content");
  if (role === "system" || role === "user") return [{ kind: "said", role, content: plainText(content) }];
  if (!Array.isArray(content)) {
    return role === "tool" ? [] : [{ kind: "model", parts: parseParts(content, unknown), fields: {} }];
  }
  return role === "tool" ? content.flatMap(resultOf) : parseContent(content, {}, unknown);
}

function parseContent(
  content: readonly Json[],
  fields: Omit<ModelResponse, "parts">,
  unknown: UnknownCounter,
): Spoken[] {
  return [{ kind: "model", parts: contentParts(content, unknown), fields }, ...content.flatMap(resultOf)];
}

/** What the model itself said and asked for. */
function contentParts(content: readonly Json[] | undefined, unknown: UnknownCounter): JsonObject[] {
  const own = (content ?? []).filter((part) => {
    const type = stringMember(part, "type") ?? "";
    return !UI_IGNORED.test(type) && type !== "tool-result" && type !== "tool-error";
  });
  return parseParts(own, unknown);
}

/** A result of a message is wrapped (`{type, value}`), that of a step is not. */
function resultOf(part: Json): Spoken[] {
  const type = stringMember(part, "type");
  const callId = stringMember(part, "toolCallId");
  if (type === "tool-error")
    return [{ kind: "result", callId, output: errorText(member(part, "error")), isError: true }];
  // An answer that could not be joined to its call says nothing here.
  if (isDenial(part)) return callId === undefined ? [] : [deniedCall(callId, part)];
  if (type !== "tool-result") return [];
  const output = member(part, "output") ?? member(part, "result");
  const wrapped = stringMember(output, "type");
  const isWrapped = wrapped !== undefined && /^(?:(?:error-)?(?:text|json)|content|execution-denied)$/.test(wrapped);
  if (!isWrapped) return [{ kind: "result", callId, output, isError: member(part, "isError") === true }];
  if (wrapped === "execution-denied") return [deniedCall(callId, output)];
  return [{ kind: "result", callId, output: member(output, "value"), isError: wrapped.startsWith("error-") }];
}

/** An `Error` in memory is its message; one that went through JSON has lost it. */
function errorText(error: Json | undefined): Json | undefined {
  return stringMember(error, "message") ?? error;
}

function stepFields(step: Json): Omit<ModelResponse, "parts"> {
  const response = member(step, "response");
  const reason = member(step, "finishReason");
  const said = typeof reason === "string" ? reason : stringMember(reason, "unified");
  return {
    model: stringMember(response, "modelId"),
    requestModel: stringMember(member(step, "model"), "modelId"),
    usage: parseUsage(member(step, "usage")),
    stopReason: stopReason(said, false),
    clock: parseClock(member(response, "timestamp")),
  };
}
