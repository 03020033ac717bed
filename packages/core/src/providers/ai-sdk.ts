/**
 * The AI SDK's own shapes: `ModelMessage` lists, `UIMessage` lists, and what `generateText` returns (`steps`, or the
 * content of one step). A step is one model response; its results stand beside its calls.
 */
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
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
  notParams: new Set([
    ...["model", "system", "prompt", "messages", "steps", "_output", "output", "totalUsage", "usage", "content"],
    ...["text", "toolCalls", "toolResults", "finishReason", "rawFinishReason", "request", "response", "warnings"],
    ...["providerMetadata", "stepNumber", "functionId", "metadata", "reasoning", "files", "sources", "tools"],
  ]),
};

const MODEL_PARTS = new Set(["tool-call", "tool-result", "tool-error", "tool-approval-request"]);
/** Parts for the page or about the answer: nothing the agent did. */
const IGNORED =
  /^(?:step-start|source|source-url|source-document|data-.*|tool-approval-request|tool-approval-response)$/;

function recognise(value: Json): Recognition {
  const list = messagesOf(value);
  if (list === undefined || list.length === 0) return NOT_RECOGNISED;
  if (list.every(isStep)) return { score: 0.9, has: ["content", "finishReason"] };
  if (!list.every((message) => isObject(message) && typeof member(message, "role") === "string")) return NOT_RECOGNISED;
  if (list.every((message) => isUiMessage(message))) return { score: 0.93, has: ["role", "parts"] };
  const own = list.some((message) => partTypes(member(message, "content")).some((type) => MODEL_PARTS.has(type)));
  return own ? { score: 0.93, has: ["role", "content"] } : NOT_RECOGNISED;
}

function messagesOf(request: Json): readonly Json[] | undefined {
  if (Array.isArray(request)) return request;
  const nested = member(request, "steps") ?? member(request, "messages");
  if (Array.isArray(nested)) return nested;
  return isStep(request) ? [request] : undefined;
}

function isStep(value: Json): boolean {
  const content = contentOf(value);
  return content !== undefined && member(value, "finishReason") !== undefined && member(value, "role") === undefined;
}

function contentOf(step: Json): readonly Json[] | undefined {
  const content = member(step, "content");
  return Array.isArray(content) && content.every((part) => typeof member(part, "type") === "string")
    ? content
    : undefined;
}

function isUiMessage(message: Json): boolean {
  const parts = member(message, "parts");
  return Array.isArray(parts) && parts.every((part) => typeof member(part, "type") === "string");
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
  if (isUiMessage(message)) return parseUi(message as JsonObject, role, unknown);
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
    return !IGNORED.test(type) && type !== "tool-result" && type !== "tool-error";
  });
  return parseParts(own, unknown);
}

/** A result of a message is wrapped (`{type, value}`), that of a step is not. */
function resultOf(part: Json): Spoken[] {
  const type = stringMember(part, "type");
  const callId = stringMember(part, "toolCallId");
  if (type === "tool-error")
    return [{ kind: "result", callId, output: errorText(member(part, "error")), isError: true }];
  if (type !== "tool-result") return [];
  const output = member(part, "output") ?? member(part, "result");
  const wrapped = stringMember(output, "type");
  const isWrapped = wrapped !== undefined && /^(?:(?:error-)?(?:text|json)|content|execution-denied)$/.test(wrapped);
  if (!isWrapped) return [{ kind: "result", callId, output, isError: member(part, "isError") === true }];
  const isError = wrapped.startsWith("error-") || wrapped === "execution-denied";
  return [{ kind: "result", callId, output: member(output, "value") ?? member(output, "reason"), isError }];
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

/** A UI message holds the steps of a whole answer, each begun by `step-start`, its calls with state and outcome. */
function parseUi(message: JsonObject, role: string, unknown: UnknownCounter): Spoken[] {
  const parts = member(message, "parts") as readonly Json[];
  if (role !== "assistant") {
    const shown = parts.filter((part) => !IGNORED.test(stringMember(part, "type") ?? ""));
    return [{ kind: "said", role, content: plainText(shown) }];
  }
  const spoken: Spoken[] = [];
  let step: Json[] = [];
  const endStep = () => {
    if (step.length === 0) return;
    const calls = step.map(uiCall);
    const model = step.flatMap((part, index): readonly JsonObject[] => {
      const call = calls[index]?.call;
      return call === undefined ? contentParts([part], unknown) : [call];
    });
    spoken.push({ kind: "model", parts: model, fields: {} }, ...calls.flatMap((call) => call?.result ?? []));
    step = [];
  };
  for (const part of parts) {
    const type = stringMember(part, "type") ?? "";
    if (type === "step-start") endStep();
    else if (!IGNORED.test(type)) step.push(part);
  }
  endStep();
  return spoken;
}

/** `tool-<name>` and `dynamic-tool`; calls whose outcome is not there yet have no result. */
function uiCall(part: Json): { call: JsonObject; result?: Spoken } | undefined {
  const type = stringMember(part, "type") ?? "";
  const name = type === "dynamic-tool" ? stringMember(part, "toolName") : /^tool-(.+)$/s.exec(type)?.[1];
  if (name === undefined) return undefined;
  const callId = stringMember(part, "toolCallId");
  const input = member(part, "input") ?? member(part, "rawInput");
  const call = { type: "tool_use", ...(callId ? { id: callId } : {}), name, ...(input === undefined ? {} : { input }) };
  switch (stringMember(part, "state")) {
    case "output-available":
      return { call, result: { kind: "result", callId, output: member(part, "output"), isError: false } };
    case "output-error":
      return { call, result: { kind: "result", callId, output: member(part, "errorText"), isError: true } };
    case "output-denied":
      return { call, result: { kind: "result", callId, output: "denied", isError: true } };
    default:
      return { call };
  }
}
