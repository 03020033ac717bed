/** `.agentlog` payloads as bodies of OpenAI's Responses API. */

import { responseParts } from "../trace/content.ts";
import { type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import {
  argumentText,
  callOfPart,
  encodeTools,
  modelOf,
  outputText,
  paramsOf,
  splitSystem,
  textOfPart,
  thinkingOfPart,
  usageTotals,
} from "./encode-parts.ts";

export function encodeResponsesResponse(payload: JsonObject): JsonObject {
  return present({
    object: "response",
    ...modelOf(payload),
    ...encodeStatus(stringMember(payload, "stop_reason")),
    output: encodeItems(payload),
    usage: encodeUsage(payload),
  });
}

export function encodeResponsesRequest(payload: JsonObject): JsonObject {
  const { system, messages } = splitSystem(payload);
  return present({
    ...modelOf(payload),
    instructions: system,
    input: messages.flatMap(encodeMessage),
    tools: encodeTools(
      payload,
      (tool) => member(tool, "type") === "function" && member(tool, "name") !== undefined,
      ({ name, description, parameters }) => present({ type: "function", name, description, parameters }),
    ),
    ...paramsOf(payload),
  });
}

/** The API has a status in place of a stop reason. */
function encodeStatus(reason: string | undefined): JsonObject {
  if (reason === undefined) return {};
  if (reason === "end_turn" || reason === "tool_use") return { status: "completed" };
  if (reason === "error") return { status: "failed" };
  const why = reason === "max_tokens" ? "max_output_tokens" : reason === "policy_blocked" ? "content_filter" : reason;
  return { status: "incomplete", incomplete_details: { reason: why } };
}

function encodeMessage(message: JsonObject): JsonObject[] {
  const role = stringMember(message, "role");
  if (role === "assistant") return encodeItems(message);
  if (role !== "tool") return [message];
  const failed = member(message, "is_error") === true ? "failed" : undefined;
  return [
    present({
      type: "function_call_output",
      call_id: stringMember(message, "tool_call_id"),
      output: outputText(member(message, "content")),
      status: failed,
    }),
  ];
}

function encodeItems(payload: JsonObject): JsonObject[] {
  const items: JsonObject[] = [];
  const parts = responseParts(payload);
  const results = new Map(
    parts.filter((part) => part["type"] === "tool_result").map((part) => [stringMember(part, "tool_use_id"), part]),
  );
  let texts: Json[] | undefined;
  for (const part of parts) {
    const text = textOfPart(part);
    if (text !== undefined) {
      if (texts === undefined) {
        texts = [];
        items.push({ type: "message", role: "assistant", content: texts });
      }
      texts.push({ type: "output_text", text, annotations: [] });
      continue;
    }
    texts = undefined;
    const thinking = thinkingOfPart(part);
    if (thinking !== undefined) items.push({ type: "reasoning", summary: [{ type: "summary_text", text: thinking }] });
    const call = callOfPart(part);
    if (call === undefined) continue;
    const { id, name, input } = call;
    const result = id === undefined ? undefined : results.get(id);
    items.push(
      result === undefined
        ? present({ type: "function_call", call_id: id, name, arguments: argumentText(input) })
        : hostedCall(call.id, name, input, result),
    );
  }
  return items;
}

/** A tool that ran at the provider has its result beside its arguments. */
function hostedCall(id: string | undefined, name: string, input: Json | undefined, result: JsonObject): JsonObject {
  const content = member(result, "content");
  const failed = member(result, "is_error") === true;
  return present({
    type: "mcp_call",
    id,
    name,
    arguments: argumentText(input),
    ...(failed ? { error: content ?? "failed" } : { output: content ?? "" }),
  });
}

function encodeUsage(payload: JsonObject): JsonObject | undefined {
  const usage = usageTotals(payload);
  if (usage === undefined) return undefined;
  const { allInput, allOutput, cached, thinking } = usage;
  return present({
    input_tokens: allInput,
    output_tokens: allOutput,
    total_tokens: allInput === undefined || allOutput === undefined ? undefined : allInput + allOutput,
    input_tokens_details: cached === undefined ? undefined : { cached_tokens: cached },
    output_tokens_details: thinking === undefined ? undefined : { reasoning_tokens: thinking },
  });
}
