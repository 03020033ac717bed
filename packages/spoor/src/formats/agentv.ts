/**
 * AgentV's files and what its command-line providers print: results and dumped traces (`output_messages[].tool_calls[]`),
 * the same messages alone, the older event list (`{text, trace}`), the short-lived span list (`{eval_id, spans}`), the
 * OTLP-like envelope (`agentv.trace.v1`) and transcripts with one message per line (`agentv.transcript.v1`). Each case is
 * a trace of its own.
 */

import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { elapsed, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseArguments } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { AGENTV_MARKS, type AgentvForm, field, formOf, isConversation, recogniseAgentv } from "./agentv-forms.ts";
import { addMessageRecords, agentvUsage } from "./agentv-messages.ts";
import { contentText } from "./content-text.ts";
import { collectLines, type Format, type ImportedTrace, type ReadContext } from "./format.ts";
import { tracesOfSpans } from "./otel/records.ts";
import { parseNanos, parseSpanKind, type Span } from "./otel/spans.ts";

export const agentv: Format = {
  name: "agentv",
  title: "AgentV results and traces",
  origin: "AgentV result JSONL, dumped traces, transcripts and CLI provider output",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: AGENTV_MARKS,
  recognise: recogniseAgentv,
  readDocument: (document, context) => readRecords(Array.isArray(document) ? document : [document], context),
  openLines: (context) => collectLines((values) => readRecords(values, context)),
};

function readRecords(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  if (isConversation(values)) return [readMessages({}, values, "messages", undefined)];
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
    traces.push(readMessages(head, messages.toSorted(byMessageIndex), "transcript", entry));
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

function readCase(record: JsonObject, form: AgentvForm, entry: string | undefined): ImportedTrace {
  if (form === "events") return readEvents(record, entry);
  if (form === "spans") return readSpans(record, entry);
  const key = ["output_messages", "outputMessages", ...(form === "messages" ? ["output", "messages"] : [])].find(
    (name) => isFilledList(member(record, name)),
  );
  if (key !== undefined) return readMessages(record, member(record, key) as readonly Json[], key, entry);
  const answer = answerOf(record);
  if (answer !== undefined && form !== "messages") {
    const trace = readMessages(record, [{ role: "assistant", content: answer }], "output", entry);
    return { ...trace, notes: ["this result holds the answer only, not the messages and tool calls that led to it"] };
  }
  const text = member(record, "text");
  if (text !== undefined)
    return readMessages(record, [{ role: "assistant", content: contentText(text) }], "text", entry);
  return { ...readMessages(record, [], "output_messages", entry), notes: ["this result holds no messages"] };
}

function isFilledList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0;
}

function answerOf(record: JsonObject): string | undefined {
  const answer = field(record, "candidate_answer") ?? member(record, "output");
  return typeof answer === "string" ? answer : undefined;
}

function nameOf(entry: string | undefined): { entry?: string } {
  return entry === undefined ? {} : { entry };
}

function readMessages(
  head: JsonObject,
  messages: readonly Json[],
  path: string,
  entry: string | undefined,
): ImportedTrace {
  const unknown = new UnknownCounter();
  const records: TraceRecord[] = [headOf(head, unknown)];
  addMessageRecords(messages, path, records, unknown);
  const error = stringMember(head, "error");
  if (error !== undefined) records.push(errorRecord({ source: "sdk", message: error }));
  return { records, ...nameOf(entry), ...unknown.result() };
}

function headOf(record: JsonObject, unknown: UnknownCounter): TraceRecord {
  const traceId = stringMember(member(record, "metadata"), "trace_id");
  const attempt = numberMember(record, "attempt");
  const evaluation = member(record, "eval");
  const payload = {
    agent: stringMember(record, "target") ?? stringMember(evaluation, "target"),
    scenario_id: caseId(record),
    attempt,
    usage: usageOf(field(record, "token_usage"), unknown),
    cost_usd: figureOf(record, "cost_usd", unknown),
    duration_ms: figureOf(record, "duration_ms", unknown),
  };
  return metadataRecord(traceId, payload, parseClock(field(record, "timestamp") ?? field(record, "start_time")));
}

function usageOf(usage: Json | undefined, unknown: UnknownCounter): JsonObject | undefined {
  const counts = agentvUsage(usage);
  const isWhole = ["input_tokens", "output_tokens"].every((key) => (numberMember(counts, key) ?? -1) >= 0);
  if (usage !== undefined && !isWhole) unknown.problem("token_usage", "needs the numbers input and output; left out");
  return isWhole ? counts : undefined;
}

function figureOf(record: JsonObject, key: string, unknown: UnknownCounter): number | undefined {
  const value = field(record, key);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  unknown.problem(key, `${stringifyJson(value)} is not a number from 0 on; left out`);
  return undefined;
}

/**
 * `{type: tool_call | tool_result, id, name, input?, output?, timestamp}`; a result belongs to the call with its id, or
 * to the latest call of its name that has none.
 */
function readEvents(record: JsonObject, entry: string | undefined): ImportedTrace {
  const unknown = new UnknownCounter();
  const records: TraceRecord[] = [headOf(record, unknown)];
  const open: { id: string; name: string | undefined; clock: Clock | undefined }[] = [];
  for (const [index, event] of (member(record, "trace") as readonly Json[]).entries()) {
    const type = stringMember(event, "type");
    const name = stringMember(event, "name");
    const clock = parseClock(member(event, "timestamp"));
    const time = clock === undefined ? {} : { ts: clock.iso };
    const path = `trace[${index}]`;
    if (type === "tool_call" && name === undefined) unknown.problem(path, 'is not a tool call: it has no text "name"');
    else if (type === "tool_call") {
      const id = stringMember(event, "id") ?? `event-${index}`;
      open.push({ id, name, clock });
      const payload = present({ tool_name: name, tool_call_id: id, arguments: inputOf(event) });
      records.push({ kind: "tool_call", ...time, payload });
    } else if (type === "tool_result") {
      const id = stringMember(event, "id");
      const at = open.findLastIndex((call) => (id === undefined ? call.name === name : call.id === id));
      const [call] = at < 0 ? [] : open.splice(at, 1);
      if (call === undefined) unknown.problem(path, "the result belongs to no call");
      const payload = present({
        tool_call_id: call?.id ?? id,
        output: member(event, "output"),
        is_error: member(event, "is_error") === true,
        latency_ms: elapsed(call?.clock, clock),
      });
      records.push({ kind: "tool_result", ...time, payload });
    } else if (type === "error") {
      records.push(errorRecord({ source: "sdk", message: stringMember(event, "text") ?? "error" }, clock));
    }
  }
  const text = member(record, "text");
  if (text !== undefined) {
    records.push({ kind: "chat_response", payload: { content: [{ type: "text", text: contentText(text) }] } });
  }
  return { records, ...nameOf(entry), ...unknown.result() };
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
  const records: TraceRecord[] = [headOf(record, unknown)];
  addMessageRecords([{ role: "tool", tool_calls: calls }], "spans", records, unknown);
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
