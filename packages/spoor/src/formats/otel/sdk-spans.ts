/**
 * Spans as the SDKs hold and print them: Python's `span.to_json()` and console exporter, the JavaScript SDK's `ReadableSpan`, and files
 * with one span per line (VS Code, Copilot CLI). The same attributes as OTLP in another envelope: a list, `{spans: […]}`, or one per line.
 */
import type { Json, JsonObject } from "@spoor/core";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { nanosOfMs } from "../activities/activity.ts";
import { collectLines, type Format, NOT_RECOGNISED, type Recognition, type Sample } from "../format.ts";
import { tracesOfSpans } from "./records.ts";
import { parseId, parseNanos, parseSpanKind, type Span, type SpanEvent, type SpanKind } from "./spans.ts";

export const sdkSpans: Format = {
  name: "otel-spans",
  title: "OpenTelemetry SDK spans",
  origin:
    "span.to_json() and ConsoleSpanExporter (Python), JSON.stringify of ReadableSpan (JavaScript), files with one span per line (VS Code: github.copilot.chat.otel.outfile, Copilot CLI: COPILOT_OTEL_FILE_EXPORTER_PATH)",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["spans", "name"],
  recognise,
  readDocument: (document, context) => tracesOfSpans(readSpans([document]), context),
  openLines: (context) => collectLines((values) => tracesOfSpans(readSpans(values), context)),
};

function recognise({ document, lines }: Sample): Recognition {
  const values = document === undefined ? (lines ?? []) : [document];
  const list = values.flatMap(listOf).filter(isObject);
  const spans = list.filter((item) => idsOf(item) !== undefined && isObject(attributesOf(item)));
  if (spans.length === 0) return NOT_RECOGNISED;
  const has = ["name", "attributes"];
  // Beside spans such files hold logs and metrics, of a short run more than spans.
  const others = list.filter((item) => !isOtherSignal(item)).length;
  return { score: spans.length * 4 >= others ? 0.9 : 0.4, has };
}

function listOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(listOf);
  const inner = member(value, "spans");
  return Array.isArray(inner) ? inner : [value];
}

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

/** Where a span keeps its ids; undefined for anything else. Phoenix, Jaeger and OTLP have readers of their own. */
function idsOf(item: JsonObject): Ids | undefined {
  if (stringMember(item, "name") === undefined || Object.hasOwn(item, "span_kind")) return undefined;
  const context = firstMember(item, ["spanContext", "_spanContext", "context"]);
  const place = isObject(context) ? context : item;
  const traceId = hexId(firstMember(place, ["trace_id", "traceId"]));
  const spanId = hexId(firstMember(place, isObject(context) ? ["span_id", "spanId"] : ["span_id", "spanId", "id"]));
  if (traceId === undefined || spanId === undefined || startOf(item) === undefined) return undefined;
  return { traceId, spanId };
}

/** Python writes ids as `0x…`. */
export function hexId(value: Json | undefined): string | undefined {
  return parseId(typeof value === "string" && /^0x/i.test(value) ? value.slice(2) : value);
}

function attributesOf(item: JsonObject): Json | undefined {
  return member(item, "attributes") ?? {};
}

function readSpans(values: readonly Json[]): { spans: Span[]; skipped: number } {
  const spans: Span[] = [];
  let skipped = 0;
  for (const item of values.flatMap(listOf)) {
    const ids = isObject(item) ? idsOf(item) : undefined;
    if (ids !== undefined) spans.push(spanOf(item as JsonObject, ids));
    else if (isObject(item) && stringMember(item, "name") !== undefined && !isOtherSignal(item)) skipped++;
  }
  return { spans, skipped };
}

/** Logs and metrics of the same program. */
function isOtherSignal(item: JsonObject): boolean {
  return ["body", "dataPoints", "data_points", "severityNumber", "hrTime"].some((key) => Object.hasOwn(item, key));
}

function spanOf(item: JsonObject, { traceId, spanId }: Ids): Span {
  const parent = firstMember(item, ["parent_id", "parentSpanId", "parentId", "parent_span_id"]) ?? parentIn(item);
  const parentSpanId = hexId(parent);
  const start = startOf(item);
  const end = endOf(item, start);
  const resource = member(item, "resource");
  const scope = firstMember(item, ["instrumentationScope", "instrumentationLibrary", "instrumentation_scope", "scope"]);
  const scopeName = stringMember(scope, "name");
  const events = member(item, "events");
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined || parentSpanId === spanId ? {} : { parentSpanId }),
    name: stringMember(item, "name")!,
    kind: kindOf(member(item, "kind")),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    attributes: mapOf(attributesOf(item)),
    events: Array.isArray(events) ? events.map(eventOf) : [],
    status: statusOf(item),
    resource: mapOf(member(resource, "attributes") ?? member(resource, "_attributes") ?? resource),
    ...(scopeName === undefined ? {} : { scope: scopeName }),
  };
}

function parentIn(item: JsonObject): Json | undefined {
  return firstMember(firstMember(item, ["parentSpanContext", "parent"]), ["spanId", "span_id"]);
}

function startOf(item: JsonObject): bigint | undefined {
  const stamp = member(item, "timestamp");
  // The JavaScript console exporter counts microseconds.
  if (typeof stamp === "number" && member(item, "duration") !== undefined) return BigInt(Math.round(stamp)) * 1000n;
  return nanosOf(
    firstMember(item, ["startTime", "start_time", "startTimeUnixNano", "start_time_unix_nano", "startTimeUnix"]),
  );
}

function endOf(item: JsonObject, start: bigint | undefined): bigint | undefined {
  const end = nanosOf(firstMember(item, ["endTime", "end_time", "endTimeUnixNano", "end_time_unix_nano"]));
  const duration = member(item, "duration");
  if (end !== undefined || start === undefined || typeof duration !== "number" || duration < 0) return end;
  return start + BigInt(Math.round(duration)) * 1000n;
}

/** `[seconds, nanoseconds]`, a text of ISO 8601, or a number whose size tells its unit. */
export function nanosOf(value: Json | undefined): bigint | undefined {
  if (Array.isArray(value)) {
    const [seconds, nanos] = value;
    if (typeof seconds !== "number" || !Number.isSafeInteger(seconds) || typeof nanos !== "number") return undefined;
    return seconds > 0 && nanos >= 0 ? BigInt(seconds) * 1_000_000_000n + BigInt(Math.round(nanos)) : undefined;
  }
  if (typeof value === "string" && !/^\d+$/.test(value)) {
    const clock = parseClock(value);
    return clock === undefined ? undefined : nanosOfMs(clock.ms);
  }
  // Milliseconds of our time have 13 digits, nanoseconds 19.
  if (typeof value === "number" && value < 1e15) return value > 0 ? nanosOfMs(value) : undefined;
  return parseNanos(value);
}

/** The JavaScript SDK counts kinds from 0 where OTLP counts from 1; Python writes `SpanKind.CLIENT`. */
function kindOf(kind: Json | undefined): SpanKind {
  if (typeof kind === "number") return parseSpanKind(kind + 1);
  return parseSpanKind(typeof kind === "string" ? kind.replace(/^SpanKind\./, "") : kind);
}

function statusOf(item: JsonObject): Span["status"] {
  const status = member(item, "status");
  const code = firstMember(status, ["code", "status_code", "statusCode"]) ?? status;
  const message = firstMember(status, ["message", "description"]);
  return {
    isError: code === 2 || (typeof code === "string" && /(?:^|[._])ERROR$/.test(code)),
    isOk: code === 1 || (typeof code === "string" && /(?:^|[._])OK$/.test(code)),
    ...(typeof message === "string" && message !== "" ? { message } : {}),
  };
}

function eventOf(event: Json): SpanEvent {
  const at = nanosOf(firstMember(event, ["time", "timestamp", "timeUnixNano"]));
  return {
    name: stringMember(event, "name") ?? "",
    ...(at === undefined ? {} : { at }),
    attributes: mapOf(member(event, "attributes")),
  };
}

export function mapOf(value: Json | undefined): Map<string, Json> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}
