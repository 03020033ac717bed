/**
 * A call of a language model of the AI SDK (specification v2 to v4) in the words of chat completions, for models whose calls no
 * wire shows. What chat completions have no words for (files, sources) is left out or named.
 */
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";
import { snapshot } from "../../intercept/snapshot.ts";
import { memberOf, textMember } from "../../intercept/tool-use.ts";

export function chatRequestOf(modelId: string, params: unknown): JsonObject {
  const messages = listOf(memberOf(params, "prompt")).flatMap(messagesOf);
  const tools = listOf(memberOf(params, "tools")).map(toolOf);
  const settings = Object.entries(SETTINGS).flatMap(([from, to]) => {
    const value = memberOf(params, from);
    return value === undefined ? [] : [[to, snapshot(value)] as const];
  });
  return { model: modelId, messages, ...(tools.length === 0 ? {} : { tools }), ...Object.fromEntries(settings) };
}

const SETTINGS = { temperature: "temperature", maxOutputTokens: "max_tokens", topP: "top_p", seed: "seed" };

/** `content`, `finishReason` and `usage` as `doGenerate` returns them. */
export function chatResponseOf(modelId: string, result: unknown): JsonObject {
  const parts = listOf(memberOf(result, "content"));
  const calls = parts.filter((part) => memberOf(part, "type") === "tool-call").map(callOf);
  const text = joined(parts, "text");
  const reasoning = joined(parts, "reasoning");
  const usage = usageOf(memberOf(result, "usage"));
  const response = memberOf(result, "response");
  return {
    id: textMember(response, "id") ?? "",
    object: "chat.completion",
    model: textMember(response, "modelId") ?? modelId,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" ? null : text,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: FINISH[finishOf(memberOf(result, "finishReason"))] ?? "stop",
      },
    ],
    ...(usage === undefined ? {} : { usage }),
  };
}

const FINISH: Readonly<Record<string, string>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
  error: "error",
};

/** A word up to v2, an object with the provider's own beside it since v3. */
function finishOf(reason: unknown): string {
  return typeof reason === "string" ? reason : (textMember(reason, "unified") ?? "");
}

function messagesOf(message: unknown): JsonObject[] {
  const role = textMember(message, "role") ?? "user";
  const content = memberOf(message, "content");
  if (typeof content === "string") return [{ role, content }];
  const parts = listOf(content);
  if (role === "tool") return parts.map(resultOf);
  const calls = parts.filter((part) => memberOf(part, "type") === "tool-call").map(callOf);
  const said = parts.flatMap((part): JsonObject[] => {
    if (memberOf(part, "type") === "text") return [{ type: "text", text: textMember(part, "text") ?? "" }];
    return memberOf(part, "type") === "file" ? [{ type: "file", mediaType: textMember(part, "mediaType") ?? "" }] : [];
  });
  if (role !== "assistant") return [{ role, content: said }];
  const text = joined(parts, "text");
  return [{ role, content: text === "" ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}

function resultOf(part: unknown): JsonObject {
  const output = memberOf(part, "output") ?? memberOf(part, "result");
  const value = memberOf(output, "value") ?? output;
  const content = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return { role: "tool", tool_call_id: textMember(part, "toolCallId") ?? "", content };
}

function callOf(part: unknown): JsonObject {
  const input = memberOf(part, "input") ?? memberOf(part, "args");
  const text = typeof input === "string" ? input : JSON.stringify(input ?? {});
  const id = textMember(part, "toolCallId") ?? "";
  return { id, type: "function", function: { name: textMember(part, "toolName") ?? "", arguments: text } };
}

function toolOf(tool: unknown): JsonObject {
  const name = textMember(tool, "name") ?? "";
  const description = textMember(tool, "description");
  const schema = memberOf(tool, "inputSchema") ?? memberOf(tool, "parameters");
  return {
    type: "function",
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(schema === undefined ? {} : { parameters: snapshot(schema) }),
    },
  };
}

/** Numbers up to v2, objects with a total since v3. */
function usageOf(usage: unknown): JsonObject | undefined {
  const input = countOf(memberOf(usage, "inputTokens"));
  const output = countOf(memberOf(usage, "outputTokens"));
  if (input === undefined || output === undefined) return undefined;
  const cached =
    countOf(memberOf(usage, "cachedInputTokens")) ?? countOf(memberOf(memberOf(usage, "inputTokens"), "cacheRead"));
  const details: Record<string, Json> =
    cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...details };
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === "object" ? memberOf(value, "total") : value;
  return typeof count === "number" ? count : undefined;
}

function joined(parts: readonly unknown[], type: string): string {
  return parts.flatMap((part) => (memberOf(part, "type") === type ? [textMember(part, "text") ?? ""] : [])).join("");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
