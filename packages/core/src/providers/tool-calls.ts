/**
 * Bare calls: a list of calls in any SDK's shape (`toolCalls` of the AI SDK, `tool_calls` of a message), the same under the key
 * `tool_calls`, or the content blocks of one response. All of it is one response; a call that carries its outcome has a result.
 * A plain list is a sequence; only blocks of a response leave the order of its calls open.
 */
import { firstMember, parseCallShape } from "../trace/call-shape.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { TraceRecord } from "../trace/record.ts";
import { parseParts } from "./chat-parts.ts";
import { parseClock } from "./clock.ts";
import { Conversation, elapsed, metadataRecord } from "./conversation.ts";
import { UnknownCounter } from "./count-unknown.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";

const CALL_TYPE = /^(?:tool[-_](?:use|call|result|error)|function(?:_call)?)$/;
const NOT_CALLS = /^(?:text|thinking|reasoning|redacted_thinking|image|output_text)$/;

export function recogniseToolCalls(value: Json): Recognition {
  const wrapped = wrappedCalls(value);
  if (wrapped !== undefined) return wrapped.some(namesTool) ? { score: 0.55, has: ["tool_calls"] } : NOT_RECOGNISED;
  if (!Array.isArray(value) || value.length === 0) return NOT_RECOGNISED;
  const fits = value.every((item: Json) => isCall(item) || isBlock(item));
  return fits && value.some(isCall) ? { score: 0.55, has: ["name"] } : NOT_RECOGNISED;
}

export function readToolCalls(value: Json): ImportedTrace[] {
  const records: TraceRecord[] = [metadataRecord(undefined, {})];
  const unknown = new UnknownCounter();
  const conversation = new Conversation(records);
  const items = wrappedCalls(value) ?? (value as readonly Json[]);
  const parts = items.flatMap((item, index): JsonObject[] => {
    if (isObject(item) && isBlock(item)) return parseParts([item], unknown);
    if (isObject(item) && namesTool(item)) return [{ type: "tool_use", id: `call-${index}`, ...parseCallShape(item) }];
    unknown.problem(`tool_calls[${index}]`, "is not a tool call");
    return [];
  });
  const said = firstMember(value, ["content", "text", "answer"]);
  const text = typeof said === "string" && said !== "" ? [{ type: "text", text: said }] : [];
  const sequential = items.every((item) => stringMember(item, "type") === undefined);
  if (parts.length + text.length > 0) conversation.respond({ parts: [...text, ...parts], sequential });
  for (const [index, item] of items.entries()) {
    if (isObject(item) && !isBlock(item) && namesTool(item)) addOutcome(item, index, conversation, records);
  }
  const id = firstMember(value, ["id", "eval_id", "test_id"]);
  return [{ records, ...(typeof id === "string" && id !== "" ? { entry: id } : {}), ...unknown.result() }];
}

/** A message, a result or a completion has such a list too, and members that say what it is. */
function wrappedCalls(value: Json): readonly Json[] | undefined {
  const isOther = ["role", "type", "object", "choices", "steps", "messages"].some(
    (key) => member(value, key) !== undefined,
  );
  const calls = firstMember(value, ["tool_calls", "toolCalls"]);
  return isObject(value) && !isOther && Array.isArray(calls) && calls.length > 0
    ? (calls as readonly Json[])
    : undefined;
}

/** What a call says about its end: its outcome, how long it took and when it began. */
function addOutcome(item: JsonObject, index: number, conversation: Conversation, records: TraceRecord[]): void {
  const { id: callId = `call-${index}`, name } = parseCallShape(item);
  const start = parseClock(firstMember(item, ["start_time", "startTime", "timestamp"]));
  const end = parseClock(firstMember(item, ["end_time", "endTime"]));
  if (start !== undefined)
    records.push({ kind: "tool_call", ts: start.iso, payload: present({ tool_name: name, tool_call_id: callId }) });
  const error = firstMember(item, ["error", "errorText"]);
  const output = firstMember(item, ["output", "result"]);
  const status = stringMember(item, "status");
  const measured = firstMember(item, ["duration_ms", "durationMs", "latency_ms"]);
  const latencyMs = typeof measured === "number" && measured >= 0 ? measured : elapsed(start, end);
  const ended =
    [error, output, latencyMs, end].some((one) => one !== undefined) || status === "ok" || status === "error";
  if (!ended) return;
  const isError = error !== undefined || status === "error" || member(item, "is_error") === true;
  conversation.result({ callId, output: error ?? output, isError, latencyMs: latencyMs ?? null });
}

function namesTool(item: Json): boolean {
  return isObject(item) && parseCallShape(item).name !== undefined;
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
