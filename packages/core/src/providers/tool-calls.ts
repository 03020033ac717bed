/**
 * Bare calls: a list of calls in any SDK's shape (`toolCalls` of the AI SDK, `tool_calls` of a message), or
 * the content blocks of one response. All of it is one response; a call that carries its outcome has a result.
 */
import { firstMember, parseCallShape } from "../trace/call-shape.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { parseParts } from "./chat-parts.ts";
import { Conversation, metadataRecord } from "./conversation.ts";
import { UnknownCounter } from "./count-unknown.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";

const CALL_TYPE = /^(?:tool[-_](?:use|call|result|error)|function(?:_call)?)$/;
const NOT_CALLS = /^(?:text|thinking|reasoning|redacted_thinking|image|output_text)$/;

export function recogniseToolCalls(value: Json): Recognition {
  if (!Array.isArray(value) || value.length === 0) return NOT_RECOGNISED;
  const fits = value.every((item: Json) => isCall(item) || isBlock(item));
  return fits && value.some(isCall) ? { score: 0.55, has: ["name"] } : NOT_RECOGNISED;
}

export function readToolCalls(value: Json): ImportedTrace[] {
  const records: TraceRecord[] = [metadataRecord(undefined, {})];
  const unknown = new UnknownCounter();
  const conversation = new Conversation(records);
  const items = value as readonly Json[];
  const parts = items.flatMap((item, index): JsonObject[] => {
    if (!isObject(item)) return [];
    if (isBlock(item)) return parseParts([item], unknown);
    return [{ type: "tool_use", id: `call-${index}`, ...parseCallShape(item) }];
  });
  if (parts.length > 0) conversation.respond({ parts });
  for (const [index, item] of items.entries()) {
    if (!isObject(item) || isBlock(item)) continue;
    const callId = parseCallShape(item).id ?? `call-${index}`;
    const error = firstMember(item, ["error", "errorText"]);
    const output = firstMember(item, ["output", "result"]);
    if (error === undefined && output === undefined) continue;
    const failed = error !== undefined || member(item, "status") === "error" || member(item, "is_error") === true;
    conversation.result({ callId, output: error ?? output, isError: failed });
  }
  return [{ records, ...unknown.result() }];
}

/** Many lists have names in them: a call also has arguments, or says that it is one. */
function isCall(item: Json): boolean {
  if (!isObject(item) || isBlock(item) || member(item, "role") !== undefined) return false;
  const { name, input } = parseCallShape(item);
  const says = ["tool", "toolName", "function", "toolCallId"].some((key) => Object.hasOwn(item, key));
  return name !== undefined && (says || input !== undefined || CALL_TYPE.test(stringMember(item, "type") ?? ""));
}

function isBlock(item: Json): boolean {
  return NOT_CALLS.test(stringMember(item, "type") ?? "");
}
