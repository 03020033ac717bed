/** A model call told by OpenInference attributes (Phoenix): `llm.input_messages.N.message.*` and relatives. */
import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { tokenUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member } from "@spoor/core/internal/trace/json";
import type { ModelCall } from "../activities/activity.ts";
import { type Attributes, countOf, jsonOf, listUnder, textOf } from "./attributes.ts";
import { finishReason } from "./gen-ai.ts";
import type { Span } from "./spans.ts";

export function openInferenceModelCall({ attributes }: Span, unknown: UnknownCounter): ModelCall {
  const input = listUnder(attributes, "llm.input_messages")?.map(unwrap) ?? jsonOf(attributes, "input.value");
  const output = listUnder(attributes, "llm.output_messages")?.map(unwrap);
  // The raw response often says more than the flattened messages: why it ended, which model answered.
  const raw = jsonOf(attributes, "output.value");
  const reply = parseReply(output ?? raw, unknown);
  const around = output === undefined || !isObject(raw) ? undefined : parseReply(raw, unknown);
  const params = jsonOf(attributes, "llm.invocation_parameters");
  const tools = listUnder(attributes, "llm.tools")?.map((tool) => member(member(tool, "tool"), "json_schema") ?? tool);
  return {
    kind: "model",
    request: parseRequest(input, unknown),
    reply,
    requestModel: textOf(attributes, "llm.model_name"),
    responseModel: around?.model,
    params: isObject(params) ? params : undefined,
    tools: toolDefinitions(tools),
    usage: openInferenceUsage(attributes),
    stopReason: finishReason(attributes) ?? around?.stopReason,
  };
}

/** `{message: {…, contents: [{message_content: {type, text}}]}}` without its wrappers. */
function unwrap(entry: Json): Json {
  const message = member(entry, "message");
  if (!isObject(message)) return entry;
  const contents = member(message, "contents");
  if (!Array.isArray(contents)) return message;
  return { ...message, content: contents.map((part: Json) => member(part, "message_content") ?? part) };
}

function openInferenceUsage(attributes: Attributes): JsonObject | undefined {
  const cached = countOf(attributes, "llm.token_count.prompt_details.cache_read");
  const written = countOf(attributes, "llm.token_count.prompt_details.cache_write");
  const thinking = countOf(attributes, "llm.token_count.completion_details.reasoning");
  return tokenUsage({
    input: countOf(attributes, "llm.token_count.prompt"),
    output: countOf(attributes, "llm.token_count.completion"),
    cached,
    written,
    thinking,
    includedInput: (cached ?? 0) + (written ?? 0),
    includedOutput: thinking ?? 0,
  });
}
