/**
 * AgentV's files: results and dumped traces (`output_messages[].tool_calls[]`), the older event list (`{text, trace}`),
 * the short-lived span list (`{eval_id, spans}`), the OTLP-like envelope (`agentv.trace.v1`) and transcripts with one
 * message per line (`agentv.transcript.v1`). Each case is a trace of its own.
 */

import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { present } from "@spoor/core/present";
import { type Clock, parseClock } from "@spoor/core/providers/clock";
import { elapsed, errorRecord, metadataRecord } from "@spoor/core/providers/conversation";
import { UnknownCounter } from "@spoor/core/providers/count-unknown";
import { firstMember, parseArguments } from "@spoor/core/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { addMessageRecords, agentvUsage } from "./agentv-messages.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { tracesOfSpans } from "./otel/records.ts";
import { parseNanos, parseSpanKind, type Span } from "./otel/spans.ts";

export const agentv: Format = {
  name: "agentv",
  title: "AgentV results and traces",
  origin: "AgentV result JSONL, dumped traces, transcripts and CLI provider output",
  recognise,
  readDocument: (document, context) => readRecords(Array.isArray(document) ? document : [document], context),
  openLines: (context) => collectLines((values) => readRecords(values, context)),
};

/** A member under its snake_case name or its camelCase twin. */
function field(value: Json | undefined, name: string): Json | undefined {
  return firstMember(value, [name, name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]);
}

function recognise(sample: Sample): Recognition {
  const document = Array.isArray(sample.document) ? sample.document.find(isObject) : sample.document;
  const first = document ?? sample.lines?.find(isObject);
  const form = formOf(first);
  if (form === undefined) {
    const has = ["score", "target", "candidate_answer"].filter((key) => field(first, key) !== undefined);
    return has.length === 0 ? NOT_RECOGNISED : { score: 0.1 * has.length, has, lacks: ["output_messages"] };
  }
  return { score: form.score, has: [form.key] };
}

type Form = "messages" | "events" | "spans" | "envelope" | "transcript" | "answer";

function formOf(record: Json | undefined): { form: Form; key: string; score: number } | undefined {
  if (!isObject(record)) return undefined;
  const schema = stringMember(record, "schema_version") ?? "";
  if (schema.startsWith("agentv.trace.")) return { form: "envelope", key: "schema_version", score: 1 };
  if (schema.startsWith("agentv.transcript.")) return { form: "transcript", key: "schema_version", score: 1 };
  if (Object.hasOwn(record, "output_messages") || Object.hasOwn(record, "outputMessages")) {
    return { form: "messages", key: "output_messages", score: 0.95 };
  }
  const id = field(record, "eval_id") ?? field(record, "test_id");
  if (Array.isArray(member(record, "trace")) && isEventList(member(record, "trace"))) {
    return { form: "events", key: "trace", score: 0.85 };
  }
  if (id === undefined) return undefined;
  if (Array.isArray(member(record, "spans"))) return { form: "spans", key: "spans", score: 0.85 };
  if (isMessageList(member(record, "output"))) return { form: "messages", key: "output", score: 0.85 };
  const answered = field(record, "candidate_answer") !== undefined || typeof member(record, "output") === "string";
  const scored = numberMember(record, "score") !== undefined;
  return answered || scored ? { form: "answer", key: "score", score: scored ? 0.8 : 0.5 } : undefined;
}

function isEventList(list: Json | undefined): boolean {
  return Array.isArray(list) && list.every((event) => /^tool_(call|result)$/.test(stringMember(event, "type") ?? ""));
}

function isMessageList(list: Json | undefined): boolean {
  return Array.isArray(list) && list.some((message) => stringMember(message, "role") !== undefined);
}

function readRecords(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const traces: ImportedTrace[] = [];
  const transcripts = new Map<string, { head: JsonObject; messages: JsonObject[] }>();
  const several = values.length > 1;
  let strangers = 0;
  for (const [index, value] of values.entries()) {
    const found = formOf(value);
    if (found === undefined || !isObject(value)) strangers++;
    else if (found.form === "transcript") addRow(transcripts, value);
    else if (found.form === "envelope")
      traces.push(...readEnvelope(value, several ? entryOf(value, index) : undefined, context));
    else traces.push(readCase(value, found.form, several ? entryOf(value, index) : undefined));
  }
  for (const [id, { head, messages }] of transcripts) {
    const entry = transcripts.size > 1 ? id : undefined;
    traces.push(readMessages(head, messages.toSorted(byMessageIndex), entry));
  }
  const [first, ...rest] = traces;
  if (first === undefined) return context.fail("holds no AgentV result, trace or transcript");
  if (strangers === 0) return traces;
  return [{ ...first, unknown: { ...first.unknown, "record of another kind": strangers } }, ...rest];
}

function caseId(record: JsonObject): string | undefined {
  const evaluation = member(record, "eval");
  const id =
    field(record, "eval_id") ?? field(record, "test_id") ?? field(evaluation, "test_id") ?? member(record, "id");
  return typeof id === "string" && id !== "" ? id : undefined;
}

function entryOf(record: JsonObject, index: number): string {
  return caseId(record) ?? `line ${index + 1}`;
}

function addRow(transcripts: Map<string, { head: JsonObject; messages: JsonObject[] }>, row: JsonObject): void {
  const session = stringMember(member(row, "source"), "session_id") ?? "";
  const key = [caseId(row) ?? "", stringMember(row, "target") ?? "", session].filter((part) => part !== "").join(" ");
  const known = transcripts.get(key);
  if (known === undefined) transcripts.set(key, { head: row, messages: [row] });
  else known.messages.push(row);
}

function byMessageIndex(left: JsonObject, right: JsonObject): number {
  return (numberMember(left, "message_index") ?? 0) - (numberMember(right, "message_index") ?? 0);
}

function readCase(record: JsonObject, form: Form, entry: string | undefined): ImportedTrace {
  if (form === "events") return readEvents(record, entry);
  if (form === "spans") return readSpans(record, entry);
  const messages = field(record, "output_messages") ?? (form === "messages" ? member(record, "output") : undefined);
  if (Array.isArray(messages) && messages.length > 0) return readMessages(record, messages, entry);
  const answer = answerOf(record);
  if (answer !== undefined && form !== "messages") {
    const trace = readMessages(record, [{ role: "assistant", content: answer }], entry);
    return { ...trace, notes: ["this result holds the answer only, not the messages and tool calls that led to it"] };
  }
  const text = member(record, "text");
  if (typeof text === "string") return readMessages(record, [{ role: "assistant", content: text }], entry);
  return { ...readMessages(record, [], entry), notes: ["this result holds no messages"] };
}

function answerOf(record: JsonObject): string | undefined {
  const answer = field(record, "candidate_answer") ?? member(record, "output");
  return typeof answer === "string" ? answer : undefined;
}

function nameOf(entry: string | undefined): { entry?: string } {
  return entry === undefined ? {} : { entry };
}

function readMessages(head: JsonObject, messages: readonly Json[], entry: string | undefined): ImportedTrace {
  const unknown = new UnknownCounter();
  const records: TraceRecord[] = [headOf(head)];
  addMessageRecords(messages, records, unknown);
  const error = stringMember(head, "error");
  if (error !== undefined) records.push(errorRecord({ source: "sdk", message: error }));
  return { records, ...nameOf(entry), ...unknown.result() };
}

function headOf(record: JsonObject): TraceRecord {
  const traceId = stringMember(member(record, "metadata"), "trace_id");
  const attempt = numberMember(record, "attempt");
  const evaluation = member(record, "eval");
  const payload = {
    agent: stringMember(record, "target") ?? stringMember(evaluation, "target"),
    scenario_id: caseId(record),
    attempt,
    usage: agentvUsage(field(record, "token_usage")),
    cost_usd: numberMember(record, "cost_usd") ?? numberMember(record, "costUsd"),
    duration_ms: numberMember(record, "duration_ms") ?? numberMember(record, "durationMs"),
  };
  return metadataRecord(traceId, payload, parseClock(field(record, "timestamp") ?? field(record, "start_time")));
}

/** `{type: tool_call | tool_result, id, name, input?, output?, timestamp}`; a result belongs to the call with its id. */
function readEvents(record: JsonObject, entry: string | undefined): ImportedTrace {
  const records: TraceRecord[] = [headOf(record)];
  const started = new Map<string, Clock | undefined>();
  for (const [index, event] of (member(record, "trace") as readonly Json[]).entries()) {
    const id = stringMember(event, "id") ?? `event-${index}`;
    const clock = parseClock(member(event, "timestamp"));
    const time = clock === undefined ? {} : { ts: clock.iso };
    if (member(event, "type") === "tool_call") {
      started.set(id, clock);
      const payload = present({ tool_name: stringMember(event, "name"), tool_call_id: id, arguments: inputOf(event) });
      records.push({ kind: "tool_call", ...time, payload });
    } else {
      const payload = present({
        tool_call_id: id,
        output: member(event, "output"),
        is_error: member(event, "is_error") === true,
        latency_ms: elapsed(started.get(id), clock),
      });
      records.push({ kind: "tool_result", ...time, payload });
    }
  }
  const text = stringMember(record, "text");
  if (text !== undefined) records.push({ kind: "chat_response", payload: { content: [{ type: "text", text }] } });
  return { records, ...nameOf(entry) };
}

function inputOf(event: Json): Json | undefined {
  const input = member(event, "input");
  return parseArguments(input);
}

/** `{eval_id, spans: [{type: tool, name, start_time?, end_time?, duration_ms?, input?, output?}]}` of two old releases. */
function readSpans(record: JsonObject, entry: string | undefined): ImportedTrace {
  const unknown = new UnknownCounter();
  const calls: Json[] = [];
  for (const span of member(record, "spans") as readonly Json[]) {
    if (isObject(span) && member(span, "type") === "tool") calls.push({ ...span, tool: member(span, "name") ?? "" });
    else unknown.add(`span ${stringMember(span, "type") ?? "without type"}`);
  }
  const records: TraceRecord[] = [headOf(record)];
  addMessageRecords([{ role: "tool", tool_calls: calls }], records, unknown);
  return { records, ...nameOf(entry), ...unknown.result() };
}

function readEnvelope(record: JsonObject, entry: string | undefined, context: ReadContext): ImportedTrace[] {
  const trace = member(record, "trace");
  const list = member(trace, "spans") ?? member(record, "spans");
  const resource = attributesOf(member(member(trace, "resource"), "attributes"));
  const spans: Span[] = [];
  let skipped = 0;
  for (const item of Array.isArray(list) ? list : []) {
    const span = spanOf(item, stringMember(trace, "trace_id"), resource);
    if (span === undefined) skipped++;
    else spans.push(span);
  }
  return tracesOfSpans({ spans, skipped }, context).map((imported) => {
    const scenario = caseId(record);
    const [head, ...rest] = imported.records;
    if (head === undefined || scenario === undefined) return { ...imported, ...nameOf(entry) };
    const payload = { ...(head.payload as JsonObject), scenario_id: scenario };
    return { ...imported, records: [{ ...head, payload }, ...rest], ...nameOf(entry) };
  });
}

function attributesOf(value: Json | undefined): Map<string, Json> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function spanOf(item: Json, traceId: string | undefined, resource: ReadonlyMap<string, Json>): Span | undefined {
  const spanId = stringMember(item, "span_id");
  const ownTrace = stringMember(item, "trace_id") ?? traceId;
  if (spanId === undefined || ownTrace === undefined) return undefined;
  const parent = stringMember(item, "parent_span_id");
  const start = parseNanos(member(item, "start_time_unix_nano"));
  const end = parseNanos(member(item, "end_time_unix_nano"));
  const status = member(item, "status");
  const code = stringMember(status, "code");
  const message = stringMember(status, "message");
  const events = member(item, "events");
  return {
    traceId: ownTrace,
    spanId,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name: stringMember(item, "name") ?? "",
    kind: parseSpanKind(member(item, "kind")),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    attributes: attributesOf(member(item, "attributes")),
    events: (Array.isArray(events) ? events : []).map((event: Json) => ({
      name: stringMember(event, "name") ?? "",
      attributes: attributesOf(member(event, "attributes")),
    })),
    status: { isError: code === "ERROR", isOk: code === "OK", ...(message ? { message } : {}) },
    resource,
  };
}
