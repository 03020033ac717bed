/** What a test may hand to the matchers: a trace, the messages a provider returned, or bare tool calls. */
import type { Json, JsonObject, Trace } from "@spoor/core";
import type { EvaluationSubject } from "@spoor/core/evaluators/evaluation";
import { subjectOfTrace } from "@spoor/core/evaluators/subject";
import { UnknownCounter } from "@spoor/core/providers/count-unknown";
import { buildTrace } from "@spoor/core/trace/build-trace";
import { isObject, member } from "@spoor/core/trace/json";
import type { TraceRecord } from "@spoor/core/trace/record";
import { addMessageRecords } from "../formats/agentv-messages.ts";

/** A trace; output messages, or an object that has them; a list of tool names or of calls (`{tool, input}`). */
export type Received = Trace | readonly unknown[] | object;

export function subjectOf(received: unknown): EvaluationSubject {
  if (isTrace(received)) return subjectOfTrace(received);
  const messages = messagesOf(received as Json);
  if (messages === undefined) {
    throw new TypeError(
      "Expected a trace, output messages, or a list of tool calls; see the documentation of spoor/vitest.",
    );
  }
  const records: TraceRecord[] = [];
  const unknown = new UnknownCounter();
  addMessageRecords(messages, "messages", records, unknown);
  const { problems } = unknown.result();
  if (problems !== undefined) throw new TypeError(`The messages cannot be read: ${problems.join("; ")}.`);
  return subjectOfTrace(buildTrace(records, { source: { format: "agentv" } }));
}

function isTrace(value: unknown): value is Trace {
  return (
    isObject(value) &&
    Array.isArray(value["toolCalls"]) &&
    Array.isArray(value["turns"]) &&
    Array.isArray(value["steps"])
  );
}

function messagesOf(value: Json): readonly Json[] | undefined {
  const nested = member(value, "output_messages") ?? member(value, "output") ?? member(value, "messages");
  const list = Array.isArray(value)
    ? (value as readonly Json[])
    : Array.isArray(nested)
      ? (nested as readonly Json[])
      : undefined;
  if (list === undefined) return undefined;
  if (list.every((item) => typeof member(item, "role") === "string")) return list;
  const calls = list.map((item) => (typeof item === "string" ? { tool: item } : withToolName(item)));
  return calls.every(isObject) ? [{ role: "assistant", tool_calls: calls as readonly JsonObject[] }] : undefined;
}

/** Calls of AI SDKs are read by shape: `toolName` and `input` (or `args`), `name` and `arguments`. */
function withToolName(item: Json): Json {
  if (!isObject(item) || member(item, "tool") !== undefined) return item;
  const tool = member(item, "toolName") ?? member(item, "name");
  const input = member(item, "input") ?? member(item, "args") ?? member(item, "arguments");
  return typeof tool === "string" ? { tool, ...(input === undefined ? {} : { input }) } : item;
}
