/**
 * Spans as Arize Phoenix exports them: `{data: […]}` of its REST API, a list, one per line, and records of its span data frame, whose
 * columns have dotted names. Attributes come nested, dotted, or both; here they become dotted, as OpenInference writes them on spans.
 */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { frameRows } from "../data-frame.ts";
import { collectLines, type Format, NOT_RECOGNISED, type Recognition, type Sample } from "../format.ts";
import { GatheredAttributes } from "./attributes.ts";
import { tracesOfSpans } from "./records.ts";
import { hexId, mapOf, nanosOf } from "./sdk-spans.ts";
import type { Span, SpanEvent } from "./spans.ts";

export const phoenix: Format = {
  name: "phoenix",
  title: "Phoenix spans",
  origin: "GET /v1/projects/<project>/spans, client.spans.get_spans, get_spans_dataframe().to_json() (Arize Phoenix)",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["span_kind", "data", "spans", "columns", "schema", "context.span_id"],
  isTable: true,
  recognise,
  readDocument: (document, context) => tracesOfSpans(readSpans([document]), context),
  openLines: (context) => collectLines((values) => tracesOfSpans(readSpans(values), context)),
};

function recognise({ document, lines }: Sample): Recognition {
  const values = document === undefined ? (lines ?? []) : [document];
  const first = values.flatMap(listOf).find((item) => idsOf(item) !== undefined);
  return first === undefined ? NOT_RECOGNISED : { score: 0.95, has: ["span_kind", "context"] };
}

function listOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.every(isSpan) ? value : value.flatMap(listOf);
  if (isSpan(value)) return [value];
  const rows = frameRows(value, ["context.span_id"]);
  if (rows !== undefined) return rows;
  const inner = member(value, "data") ?? member(value, "spans");
  return Array.isArray(inner) ? listOf(inner) : [value];
}

function isSpan(value: Json): boolean {
  return typeof member(value, "span_kind") === "string";
}

function idsOf(item: Json): { traceId: string; spanId: string } | undefined {
  if (stringMember(item, "span_kind") === undefined) return undefined;
  const context = member(item, "context");
  const traceId = hexId(member(context, "trace_id") ?? member(item, "context.trace_id"));
  const spanId = hexId(member(context, "span_id") ?? member(item, "context.span_id"));
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}

function readSpans(values: readonly Json[]): { spans: Span[]; skipped: number } {
  const items = values.flatMap(listOf);
  const spans: Span[] = [];
  /** By kind: between two calls of a model stand spans of tools. */
  const latest = new Map<string, Span["attributes"]>();
  for (const item of items) {
    const ids = idsOf(item);
    if (ids === undefined) continue;
    const kind = stringMember(item, "span_kind")!;
    const span = spanOf(item as JsonObject, ids, latest.get(kind));
    latest.set(kind, span.attributes);
    spans.push(span);
  }
  return { spans, skipped: items.length - spans.length };
}

function spanOf(
  item: JsonObject,
  ids: { traceId: string; spanId: string },
  before: Span["attributes"] | undefined,
): Span {
  const parentSpanId = hexId(member(item, "parent_id"));
  const start = nanosOf(member(item, "start_time"));
  const end = nanosOf(member(item, "end_time"));
  const code = stringMember(item, "status_code");
  const message = stringMember(item, "status_message");
  const events = member(item, "events");
  const attributes = attributesOf(item, before);
  attributes.set("openinference.span.kind", stringMember(item, "span_kind")!);
  return present({
    traceId: ids.traceId,
    spanId: ids.spanId,
    parentSpanId,
    name: stringMember(item, "name") ?? "",
    kind: "internal" as const,
    start,
    end,
    attributes,
    events: Array.isArray(events) && events.length > 0 ? events.map(eventOf) : NO_EVENTS,
    status: statusOf(code, message),
    resource: NO_RESOURCE,
  });
}

const NO_RESOURCE: Span["resource"] = new Map();
const NO_EVENTS: Span["events"] = [];

function statusOf(code: string | undefined, message: string | undefined): Span["status"] {
  const isError = code === "ERROR";
  const isOk = code === "OK";
  return message ? { isError, isOk, message } : { isError, isOk };
}

const COLUMN = "attributes.";

function attributesOf(item: JsonObject, before: Span["attributes"] | undefined): Map<string, Json> {
  const attributes = new GatheredAttributes(before);
  const nested = member(item, "attributes");
  if (isObject(nested)) for (const key in nested) spread(key, nested[key]!, attributes, 0);
  for (const key in item) {
    if (key.startsWith(COLUMN)) spread(key.slice(COLUMN.length), item[key]!, attributes, 0);
  }
  return attributes.finish();
}

/** `{llm: {token_count: {prompt}}}` as `llm.token_count.prompt`; an object also stays whole under its own name, and so does a list whose items are nested. */
function spread(path: string, value: Json, into: GatheredAttributes, depth: number): void {
  if (value === null || depth > 10) return;
  if (typeof value !== "object") {
    into.set(path, value);
    return;
  }
  const items = Array.isArray(value) ? value : undefined;
  if (path.startsWith("gen_ai.") || !isObject(items?.[0] ?? value) || (items !== undefined && isNested(items, 0))) {
    into.set(path, value);
  } else if (items !== undefined) {
    items.forEach((item: Json, index) => {
      spreadMembers(`${path}.${index}`, item, into, depth);
    });
  } else {
    into.set(path, value);
    spreadMembers(path, value, into, depth);
  }
}

/** Whether nothing inside is spelled out in a dotted name, or stands for nothing: spreading it and gathering it again would give the same. */
function isNested(value: Json, depth: number): boolean {
  if (typeof value !== "object") return true;
  if (value === null || depth > 10) return false;
  if (Array.isArray(value)) return value.every((item: Json) => isNested(item, depth));
  const members = value as JsonObject;
  for (const key in members) if (key.includes(".") || !isNested(members[key]!, depth + 1)) return false;
  return true;
}

function spreadMembers(path: string, value: Json, into: GatheredAttributes, depth: number): void {
  if (!isObject(value)) return;
  for (const key in value) spread(`${path}.${key}`, value[key]!, into, depth + 1);
}

function eventOf(event: Json): SpanEvent {
  const at = nanosOf(member(event, "timestamp"));
  return {
    name: stringMember(event, "name") ?? "",
    ...(at === undefined ? {} : { at }),
    attributes: mapOf(member(event, "attributes")),
  };
}
