/** `.agentlog` payloads as bodies of Anthropic's Messages API. */

import { responseParts } from "../trace/content.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import {
  callOfPart,
  encodeTools,
  modelOf,
  outputText,
  paramsOf,
  splitSystem,
  sumOf,
  thinkingOfPart,
  usageTotals,
} from "./encode-parts.ts";

export function encodeMessagesResponse(payload: JsonObject): JsonObject {
  const reason = stringMember(payload, "stop_reason");
  return present({
    type: "message",
    role: "assistant",
    ...modelOf(payload),
    content: encodeBlocks(payload),
    stop_reason: reason === "policy_blocked" ? "refusal" : (reason ?? null),
    usage: encodeUsage(payload),
  });
}

export function encodeMessagesRequest(payload: JsonObject): JsonObject {
  const { system, messages } = splitSystem(payload);
  return present({
    ...modelOf(payload),
    system,
    messages: encodeHistory(messages),
    tools: encodeTools(
      payload,
      (tool) => isObject(member(tool, "input_schema")),
      ({ name, description, parameters }) =>
        present({ name, description, input_schema: parameters ?? { type: "object", properties: {} } }),
    ),
    ...paramsOf(payload),
  });
}

/** Results travel in the next user message, all of one response together. */
function encodeHistory(messages: readonly JsonObject[]): JsonObject[] {
  const encoded: JsonObject[] = [];
  let results: JsonObject[] = [];
  const endResults = (blocks: readonly Json[] = []) => {
    if (results.length + blocks.length > 0) encoded.push({ role: "user", content: [...results, ...blocks] });
    results = [];
  };
  for (const message of messages) {
    const role = stringMember(message, "role");
    const content = member(message, "content");
    if (role === "tool") results.push(encodeResult(message));
    else if (role === "user" && results.length > 0) {
      endResults(Array.isArray(content) ? content : [{ type: "text", text: outputText(content) }]);
    } else {
      endResults();
      encoded.push(role === "assistant" ? { role, content: encodeBlocks(message) } : message);
    }
  }
  endResults();
  return encoded;
}

function encodeResult(message: JsonObject): JsonObject {
  const content = member(message, "content");
  return present({
    type: "tool_result",
    tool_use_id: stringMember(message, "tool_call_id"),
    content: content === undefined || Array.isArray(content) ? content : outputText(content),
    is_error: member(message, "is_error") === true ? true : undefined,
  });
}

function encodeBlocks(payload: JsonObject): JsonObject[] {
  return responseParts(payload).map((part) => {
    const call = callOfPart(part);
    if (call !== undefined) return present({ type: "tool_use", id: call.id, name: call.name, input: call.input ?? {} });
    const thinking = thinkingOfPart(part);
    return thinking === undefined ? part : { type: "thinking", thinking, signature: "" };
  });
}

function encodeUsage(payload: JsonObject): JsonObject | undefined {
  const usage = usageTotals(payload);
  if (usage === undefined) return undefined;
  const { input, output, cached, written, writtenHour } = usage;
  return present({
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: sumOf(written, writtenHour),
    cache_creation:
      writtenHour === undefined
        ? undefined
        : { ephemeral_5m_input_tokens: written ?? 0, ephemeral_1h_input_tokens: writtenHour },
  });
}
