/**
 * A model call told by the Vercel AI SDK's `ai.*` attributes (SDK 3 to 6, and 7 with its legacy exporter). The older
 * generation says `ai.result.*`, `ai.finishReason` and counts `promptTokens`; the newer `ai.response.*` and `inputTokens`.
 */
import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { tokenUsage } from "@spoor/core/internal/providers/usage";
import { isObject } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import type { ModelCall } from "../activities/activity.ts";
import { type Attributes, countOf, jsonOf, textOf } from "./attributes.ts";
import type { Span } from "./spans.ts";

/** `ai.generateText`, `ai.streamText.doStream`, …: undefined for every other span. */
export function vercelOperation(span: Span): string | undefined {
  const operation = textOf(span.attributes, "ai.operationId") ?? span.name;
  return /^ai\.[a-zA-Z]+(\.do[A-Z][a-zA-Z]*)?(\s|$)/.test(operation) ? operation.split(/\s/, 1)[0]! : undefined;
}

export function vercelModelCall({ attributes }: Span, unknown: UnknownCounter): ModelCall {
  const input = jsonOf(attributes, "ai.prompt.messages") ?? jsonOf(attributes, "ai.prompt");
  return {
    kind: "model",
    request: parseRequest(input, unknown),
    reply: parseReply(vercelAnswer(attributes), unknown),
    requestModel: textOf(attributes, "ai.model.id", "gen_ai.request.model"),
    responseModel: textOf(attributes, "ai.response.model", "gen_ai.response.model"),
    params: settings(attributes),
    tools: toolDefinitions(jsonOf(attributes, "ai.prompt.tools")),
    usage: vercelUsage(attributes),
    stopReason: textOf(attributes, "ai.response.finishReason", "ai.finishReason"),
  };
}

function vercelAnswer(attributes: Attributes): Json | undefined {
  // Text stays text here: an answer that happens to be JSON is still what the model said.
  const text = textOf(attributes, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object");
  const toolCalls = jsonOf(attributes, "ai.response.toolCalls", "ai.result.toolCalls");
  if (text === undefined && !Array.isArray(toolCalls)) return undefined;
  return present({ text, toolCalls: Array.isArray(toolCalls) ? toolCalls : undefined });
}

function settings(attributes: Attributes): JsonObject | undefined {
  const params = present({
    temperature: jsonOf(attributes, "ai.settings.temperature"),
    top_p: jsonOf(attributes, "ai.settings.topP"),
    max_tokens: jsonOf(attributes, "ai.settings.maxOutputTokens", "ai.settings.maxTokens"),
    seed: jsonOf(attributes, "ai.settings.seed"),
    tool_choice: jsonOf(attributes, "ai.prompt.toolChoice"),
  });
  return isObject(params) && Object.keys(params).length > 0 ? params : undefined;
}

function vercelUsage(attributes: Attributes): JsonObject | undefined {
  const cached = countOf(attributes, "ai.usage.cachedInputTokens");
  const thinking = countOf(attributes, "ai.usage.reasoningTokens");
  return tokenUsage({
    input: countOf(attributes, "ai.usage.inputTokens", "ai.usage.promptTokens", "gen_ai.usage.input_tokens"),
    output: countOf(attributes, "ai.usage.outputTokens", "ai.usage.completionTokens", "gen_ai.usage.output_tokens"),
    cached,
    written: undefined,
    thinking,
    includedInput: cached ?? 0,
    includedOutput: thinking ?? 0,
  });
}
