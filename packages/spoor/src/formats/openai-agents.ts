/**
 * Spans of the OpenAI Agents SDK, as its trace processors and exporters give them: `{object: "trace.span", …, span_data}`
 * beside `{object: "trace", …}`; an array, one per line, or under `data` (the body sent to the ingest endpoint).
 */

import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { parseArguments, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Activity, AROUND, type Did, type ModelCall, nanosOfMs } from "./activities/activity.ts";
import { recordsOfActivities } from "./activities/records.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";

export const openaiAgents: Format = {
  name: "openai-agents",
  title: "OpenAI Agents SDK spans",
  origin: "span.export() and trace.export() as JSON, of a processor that add_trace_processor is given",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["data", "spans", "items", "object"],
  recognise,
  readDocument: (document, context) => readItems([document], context),
  openLines: (context) => collectLines((values) => readItems(values, context)),
};

function recognise(sample: Sample): Recognition {
  const values = sample.document === undefined ? (sample.lines ?? []) : [sample.document];
  const items = values.flatMap(listOf);
  const span = items.find((item) => member(item, "object") === "trace.span");
  if (span === undefined) return NOT_RECOGNISED;
  return recogniseKeys(span, ["object", "span_data"], ["id", "trace_id", "parent_id", "started_at", "ended_at"]);
}

function listOf(document: Json): Json[] {
  if (Array.isArray(document)) return document.flatMap(listOf);
  const inner = member(document, "data") ?? member(document, "spans") ?? member(document, "items");
  return Array.isArray(inner) ? [...inner] : [document];
}

function readItems(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const unplaced = new UnknownCounter();
  const traces = new Map<string, { head?: JsonObject; spans: JsonObject[] }>();
  const traceAt = (id: string) => {
    const known = traces.get(id) ?? { spans: [] };
    traces.set(id, known);
    return known;
  };
  for (const item of values.flatMap(listOf)) {
    const object = stringMember(item, "object");
    const id = stringMember(item, "id");
    const traceId = object === "trace" ? id : stringMember(item, "trace_id");
    if (!isObject(item) || id === undefined || traceId === undefined) unplaced.add("item without ids");
    else if (object === "trace") traceAt(traceId).head = item;
    else if (object === "trace.span") traceAt(traceId).spans.push(item);
    else unplaced.add(`object ${object ?? "without type"}`);
  }
  if (traces.size === 0) return context.fail("holds no span of the OpenAI Agents SDK");
  return [...traces].map(([traceId, { head, spans }], index) => {
    const unknown = index === 0 ? unplaced : new UnknownCounter();
    const facts = {
      traceId,
      agent: stringMember(head, "workflow_name"),
      metadata: { workflow: stringMember(head, "workflow_name"), conversation_id: stringMember(head, "group_id") },
    };
    const activities = spans.map((span) => activityOf(span, unknown));
    const records = recordsOfActivities(activities, facts, unknown);
    const entry = traces.size > 1 ? { entry: traceId } : {};
    if (records !== undefined) return { records, ...entry, ...unknown.result() };
    return { records: [], ...entry, ...unknown.result(), notes: ["no span is a model or tool call"] };
  });
}

function activityOf(span: JsonObject, unknown: UnknownCounter): Activity {
  const error = member(span, "error");
  const kind = firstText(member(error, "data"), ["error_type", "type", "name"]);
  return {
    id: stringMember(span, "id")!,
    parentId: stringMember(span, "parent_id"),
    start: nanosOf(member(span, "started_at")),
    end: nanosOf(member(span, "ended_at")),
    failure: isObject(error) ? { message: stringMember(error, "message"), kind } : undefined,
    did: meaningOf(member(span, "span_data"), unknown),
  };
}

function firstText(value: Json | undefined, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = stringMember(value, key);
    if (text !== undefined) return text;
  }
  return undefined;
}

function nanosOf(value: Json | undefined): bigint | undefined {
  const clock = parseClock(value);
  return clock === undefined ? undefined : nanosOfMs(clock.ms);
}

function meaningOf(data: Json | undefined, unknown: UnknownCounter): Did {
  const type = stringMember(data, "type") ?? "";
  const name = stringMember(data, "name") ?? "";
  switch (type) {
    case "agent":
      return { kind: "agent", name };
    case "generation":
      return generation(data, unknown);
    case "response":
      return response(data, unknown);
    case "function":
      return functionRun(data, name);
    case "handoff": {
      // An event, not a step: the model already asked for it with a call such as transfer_to_billing.
      const from = stringMember(data, "from_agent") ?? "";
      const to = stringMember(data, "to_agent") ?? "";
      return {
        kind: "step",
        category: "handoff",
        name: `handoff to ${to}`,
        attributes: { from_agent: from, to_agent: to },
      };
    }
    case "guardrail":
      return {
        kind: "step",
        category: "guardrail",
        name,
        attributes: { triggered: member(data, "triggered") ?? false },
      };
    case "task":
    case "turn":
    case "custom":
    case "mcp_tools":
    case "speech_group":
      return AROUND;
    default:
      unknown.add(`span ${type || "without type"}`);
      return AROUND;
  }
}

function functionRun(data: Json | undefined, name: string): Did {
  const input = member(data, "input");
  const output = member(data, "output");
  return {
    kind: "tool",
    name,
    input: typeof input === "string" ? parseArguments(input) : (input ?? undefined),
    output: typeof output === "string" ? (parseJsonText(output) ?? output) : (output ?? undefined),
  };
}

function generation(data: Json | undefined, unknown: UnknownCounter): ModelCall {
  const config = member(data, "model_config");
  return {
    kind: "model",
    request: parseRequest(member(data, "input"), unknown),
    reply: parseReply(member(data, "output"), unknown),
    requestModel: stringMember(data, "model"),
    params: isObject(config) && Object.keys(config).length > 0 ? config : undefined,
    usage: parseUsage(member(data, "usage")),
  };
}

/** The JavaScript SDK keeps the whole exchange under `_input` and `_response`; exports may name the response only. */
function response(data: Json | undefined, unknown: UnknownCounter): ModelCall {
  const whole = member(data, "response") ?? member(data, "_response");
  const input = member(data, "input") ?? member(data, "_input");
  const instructions = stringMember(whole, "instructions");
  const request = parseRequest(
    instructions === undefined || input === undefined ? input : { instructions, input },
    unknown,
  );
  return {
    kind: "model",
    request,
    reply: parseReply(whole, unknown),
    requestModel: stringMember(whole, "model") ?? stringMember(data, "model"),
    tools: toolDefinitions(member(whole, "tools")),
    usage: parseUsage(member(whole, "usage")) ?? parseUsage(member(data, "usage")),
    stopReason: stringMember(whole, "status"),
  };
}
