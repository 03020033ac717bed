/** `.agentlog` payloads as bodies of OpenAI's chat completions. */

import { responseParts } from "../trace/content.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import {
  argumentText,
  callOfPart,
  encodeTools,
  modelOf,
  outputText,
  paramsOf,
  textOfPart,
  thinkingOfPart,
  usageTotals,
} from "./encode-parts.ts";

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  refusal: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  policy_blocked: "content_filter",
};

export function encodeChatResponse(payload: JsonObject): JsonObject {
  const reason = stringMember(payload, "stop_reason");
  const message = encodeAssistant(payload, reason === "refusal");
  return present({
    object: "chat.completion",
    ...modelOf(payload),
    choices: [{ index: 0, message, finish_reason: reason === undefined ? null : (FINISH_REASONS[reason] ?? reason) }],
    usage: encodeUsage(payload),
  });
}

export function encodeChatRequest(payload: JsonObject): JsonObject {
  const messages = member(payload, "messages");
  return present({
    ...modelOf(payload),
    messages: Array.isArray(messages) ? messages.filter(isObject).map(encodeMessage) : [],
    tools: encodeTools(
      payload,
      (tool) => isObject(member(tool, "function")),
      ({ name, description, parameters }) => ({
        type: "function",
        function: present({ name, description, parameters }),
      }),
    ),
    ...paramsOf(payload),
  });
}

function encodeMessage(message: JsonObject): JsonObject {
  const role = stringMember(message, "role");
  if (role === "assistant") return encodeAssistant(message, false);
  if (role !== "tool") return message;
  const { is_error: _unmarked, ...rest } = message as Record<string, Json>;
  return { ...rest, content: outputText(member(message, "content")) };
}

/** The API has one text a message: several are joined. */
function encodeAssistant(payload: JsonObject, refused: boolean): JsonObject {
  const parts = responseParts(payload);
  const texts = parts.flatMap((part) => textOfPart(part) ?? []);
  const thinking = parts.flatMap((part) => thinkingOfPart(part) ?? []);
  const calls = parts.flatMap((part) => callOfPart(part) ?? []);
  const text = texts.length === 0 ? null : texts.join("\n");
  return present({
    role: "assistant",
    content: refused ? null : text,
    refusal: refused ? text : undefined,
    reasoning_content: thinking.length === 0 ? undefined : thinking.join("\n"),
    tool_calls:
      calls.length === 0
        ? undefined
        : calls.map(({ id, name, input }) =>
            present({ id, type: "function", function: { name, arguments: argumentText(input) } }),
          ),
  });
}

function encodeUsage(payload: JsonObject): JsonObject | undefined {
  const usage = usageTotals(payload);
  if (usage === undefined) return undefined;
  const { allInput, allOutput, cached, thinking } = usage;
  return present({
    prompt_tokens: allInput,
    completion_tokens: allOutput,
    total_tokens: allInput === undefined || allOutput === undefined ? undefined : allInput + allOutput,
    prompt_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    completion_tokens_details: thinking === undefined ? undefined : { reasoning_tokens: thinking },
  });
}
