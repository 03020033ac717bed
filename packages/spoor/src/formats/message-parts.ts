/** Lists of calls and token counts as transcripts write them; single parts are read by chat-parts.ts. */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { parseArgumentText, parseCall } from "./chat-parts.ts";
import { present } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import { tokenUsage } from "./usage.ts";

/** A `tool_calls` member as `tool_use` parts. Null and a missing list are no calls; what names no tool is counted. */
export function parseCalls(calls: Json | undefined, unknown: UnknownCounter): JsonObject[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) {
    unknown.add(`tool_calls: ${typeof calls}`);
    return [];
  }
  return calls.flatMap((call) => {
    const part = isObject(call) ? parseCall(call) : undefined;
    if (part !== undefined && stringMember(part, "name") !== undefined) return [part];
    unknown.add("tool call without a name");
    return [];
  });
}

/** A `tool_use` part; arguments given as JSON text are parsed, and stay text when they are no JSON. */
export function toolUse(id: string | undefined, name: string, input: Json | undefined): JsonObject {
  return present({ type: "tool_use", id, name, input: input === undefined ? undefined : parseArgumentText(input) });
}

/** Counts a message whose role no reader knows. */
export function countRole(role: Json | undefined, unknown: UnknownCounter): void {
  unknown.add(typeof role === "string" ? `message: ${role}` : "message without a role");
}

/** Blocks of nothing but text as one text; anything else as it is. */
export function plainText(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((part) => (TEXT_TYPES.has(member(part, "type")) ? stringMember(part, "text") : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("\n") : content;
}

const TEXT_TYPES: ReadonlySet<Json | undefined> = new Set(["text", "input_text", "output_text"]);

/** Anthropic's usage, whose input count leaves cached tokens out, with cache writes told apart by how long they last. */
export function anthropicUsage(usage: Json | undefined): JsonObject | undefined {
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const creation = member(usage, "cache_creation");
  const hour = numberMember(creation, "ephemeral_1h_input_tokens") ?? 0;
  const written = numberMember(usage, "cache_creation_input_tokens") ?? 0;
  return present({
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: numberMember(usage, "cache_read_input_tokens") || undefined,
    cached_write_5m_tokens: (numberMember(creation, "ephemeral_5m_input_tokens") ?? written - hour) || undefined,
    cached_write_1h_tokens: hour || undefined,
  });
}

/** Codex's usage, whose totals include cached and reasoning tokens under names that Anthropic uses otherwise. */
export function codexUsage(usage: Json | undefined): JsonObject | undefined {
  const cached = numberMember(usage, "cached_input_tokens");
  const thinking = numberMember(usage, "reasoning_output_tokens");
  return tokenUsage({
    input: numberMember(usage, "input_tokens"),
    output: numberMember(usage, "output_tokens"),
    cached,
    written: undefined,
    thinking,
    includedInput: cached ?? 0,
    includedOutput: thinking ?? 0,
  });
}
