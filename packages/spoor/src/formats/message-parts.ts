/** The pieces of provider messages that several formats share: text, tool calls, usage and stop reasons, normalised. */
import type { Json, JsonObject } from "@spoor/core";
import { parseArguments } from "@spoor/core/trace/content";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { present } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";

/** Content as parts: a text is one part (none when empty); entries of a list that are no objects are counted. */
export function contentParts(content: Json | undefined, unknown: UnknownCounter): JsonObject[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (isObject(content)) return [content];
  if (!Array.isArray(content)) {
    unknown.add(`content: ${typeof content}`);
    return [];
  }
  const parts: JsonObject[] = [];
  for (const part of content) {
    if (isObject(part)) parts.push(part);
    else if (typeof part === "string") parts.push({ type: "text", text: part });
    else unknown.add(`content part: ${part === null ? "null" : typeof part}`);
  }
  return parts;
}

/**
 * A list of calls in any of the shapes in use, as `tool_use` parts: OpenAI's `function: {name, arguments: "…"}`, the flat
 * `{name, arguments}` and AgentDojo's `{function: "name", args}`. Null and a missing list are no calls.
 */
export function toolCallParts(calls: Json | undefined, unknown: UnknownCounter): JsonObject[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) {
    unknown.add(`tool_calls: ${typeof calls}`);
    return [];
  }
  const parts: JsonObject[] = [];
  for (const call of calls) {
    const part = toolCallPart(call);
    if (part === undefined) unknown.add("tool call");
    else parts.push(part);
  }
  return parts;
}

/** One call as a `tool_use` part; undefined when it is not an object or names no tool. */
function toolCallPart(call: Json): JsonObject | undefined {
  const fn = member(call, "function") ?? member(call, "custom");
  const name = typeof fn === "string" ? fn : (stringMember(fn, "name") ?? stringMember(call, "name"));
  if (name === undefined) return undefined;
  const input =
    member(fn, "arguments") ??
    member(fn, "input") ??
    member(call, "arguments") ??
    member(call, "args") ??
    member(call, "input");
  return toolUse(stringMember(call, "id") ?? stringMember(call, "call_id"), name, input);
}

/** A `tool_use` part; arguments given as JSON text are parsed, and stay text when they are no JSON. */
export function toolUse(id: string | undefined, name: string, input: Json | undefined): JsonObject {
  const parsed = typeof input === "string" ? parseArguments(input) : input;
  return present({ type: "tool_use", id, name, input: parsed });
}

/** OpenAI's finish reasons in the words of `.agentlog`; others pass through. */
export function stopReasonOf(reason: Json | undefined): string | undefined {
  if (typeof reason !== "string" || reason === "") return undefined;
  return STOP_REASONS.get(reason) ?? reason;
}

const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["tool_calls", "tool_use"],
  ["function_call", "tool_use"],
  ["tool_call", "tool_use"],
  ["toolUse", "tool_use"],
  ["length", "max_tokens"],
]);

/**
 * OpenAI's usage. Its totals include cached and reasoning tokens, while `.agentlog` counts each token once, so the parts
 * are taken out of the totals.
 */
export function openaiUsage(usage: Json | undefined): JsonObject | undefined {
  const input = numberMember(usage, "prompt_tokens") ?? numberMember(usage, "input_tokens");
  const output = numberMember(usage, "completion_tokens") ?? numberMember(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const inputDetails = member(usage, "prompt_tokens_details") ?? member(usage, "input_tokens_details");
  const outputDetails = member(usage, "completion_tokens_details") ?? member(usage, "output_tokens_details");
  const cached = numberMember(inputDetails, "cached_tokens") ?? numberMember(usage, "cached_input_tokens");
  const thinking = numberMember(outputDetails, "reasoning_tokens") ?? numberMember(usage, "reasoning_output_tokens");
  return present({
    input_tokens: without(input, cached),
    output_tokens: without(output, thinking),
    cached_input_tokens: cached || undefined,
    thinking_tokens: thinking || undefined,
  });
}

/** Anthropic's usage, whose input count already leaves cached tokens out. */
export function anthropicUsage(usage: Json | undefined): JsonObject | undefined {
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const creation = member(usage, "cache_creation");
  const hour = numberMember(creation, "ephemeral_1h_input_tokens");
  const written = numberMember(usage, "cache_creation_input_tokens");
  const fiveMinutes = numberMember(creation, "ephemeral_5m_input_tokens") ?? without(written, hour);
  return present({
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: numberMember(usage, "cache_read_input_tokens") || undefined,
    cached_write_5m_tokens: fiveMinutes || undefined,
    cached_write_1h_tokens: hour || undefined,
  });
}

function without(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined ? total : Math.max(0, total - part);
}
