/**
 * OTLP JSON: `{resourceSpans: [{resource, scopeSpans: [{scope, spans}]}]}`, as one document (also an array of such) or one
 * export request per line (the collector's file exporter). Tempo's export is the same tree under older names:
 * `batches` and `instrumentationLibrarySpans`.
 */
import type { Json } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import {
  collectLines,
  type Format,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "../format.ts";
import { recogniseKeys } from "../recognise-keys.ts";
import { tracesOfSpans } from "./records.ts";
import {
  parseAnyValue,
  parseAttributes,
  parseId,
  parseNanos,
  parseSpanKind,
  type Span,
  type SpanEvent,
} from "./spans.ts";

export const otlpJson: Format = {
  name: "otlp",
  title: "OpenTelemetry spans (OTLP JSON)",
  origin: "the collector's file exporter (exporters: file), or bodies of OTLP/HTTP in JSON",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["resourceSpans"],
  recognise: (sample) => recogniseTree(sample, "resourceSpans"),
  readDocument: (document, context) => tracesOfSpans(spansOfOtlp([document], "resourceSpans", context), context),
  openLines: (context) =>
    collectLines((values) => tracesOfSpans(spansOfOtlp(values, "resourceSpans", context), context)),
};

export function recogniseTree(sample: Sample, key: "resourceSpans" | "batches"): Recognition {
  const values = sample.document === undefined ? (sample.lines ?? []) : [sample.document].flat();
  const first = values.find((value) => member(value, key) !== undefined) ?? values.find(isObject);
  if (!isObject(first)) return NOT_RECOGNISED;
  const inner = member(first, "trace");
  const tree = key === "batches" && isObject(inner) && Object.hasOwn(inner, key) ? inner : first;
  const list = member(tree, key);
  if (Object.hasOwn(tree, key) && !Array.isArray(list)) return { score: 0.3, has: [key], lacks: ["scopeSpans"] };
  return recogniseKeys(tree, [key]);
}

/** Every span of every request, in file order, with the log records that belong to it as events. */
export function spansOfOtlp(
  documents: readonly Json[],
  key: "resourceSpans" | "batches",
  context: ReadContext,
): { spans: Span[]; skipped: number } {
  const spans: OpenSpan[] = [];
  const logs: Json[] = [];
  let skipped = 0;
  for (const request of documents.flatMap((document) => (Array.isArray(document) ? document : [document]) as Json[])) {
    const tree = member(request, key) === undefined ? member(request, "trace") : request;
    const batches = member(tree, key);
    logs.push(...nested(request, "resourceLogs", "scopeLogs", "logRecords"));
    if (!Array.isArray(batches)) {
      // The file exporter writes logs and metrics of the same agent beside the traces.
      if (member(request, "resourceLogs") !== undefined || member(request, "resourceMetrics") !== undefined) continue;
      return context.fail(`has no list "${key}"`, { path: key });
    }
    for (const batch of batches) {
      const resource = parseAttributes(member(member(batch, "resource"), "attributes"));
      for (const group of listAt(batch, "scopeSpans", "instrumentationLibrarySpans", "ilSpans")) {
        const scope = stringMember(member(group, "scope") ?? member(group, "instrumentationLibrary"), "name");
        for (const item of listAt(group, "spans")) {
          const span = spanOfOtlp(item, resource, scope);
          if (span === undefined) skipped++;
          else spans.push(span);
        }
      }
    }
  }
  addLogEvents(spans, logs);
  return { spans, skipped };
}

/** A span whose events may still grow. */
type OpenSpan = Span & { readonly events: SpanEvent[] };

function listAt(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  for (const key of keys) {
    const list = member(value, key);
    if (Array.isArray(list)) return list;
  }
  return [];
}

function nested(value: Json, outer: string, middle: string, inner: string): Json[] {
  return listAt(value, outer).flatMap((group) => listAt(group, middle).flatMap((part) => [...listAt(part, inner)]));
}

/** Some SDKs send the messages of a model call as log records that name the span they belong to. */
function addLogEvents(spans: readonly OpenSpan[], logs: readonly Json[]): void {
  if (logs.length === 0) return;
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  for (const log of logs) {
    const span = byId.get(`${parseId(member(log, "traceId"))} ${parseId(member(log, "spanId"))}`);
    const name = eventNameOf(log);
    if (span === undefined || name === undefined) continue;
    const attributes = parseAttributes(member(log, "attributes"));
    const body = member(log, "body");
    if (body !== undefined) attributes.set("body", parseAnyValue(body));
    const at = parseNanos(member(log, "timeUnixNano"));
    span.events.push({ name, ...(at === undefined ? {} : { at }), attributes });
  }
}

/** Which event of its span a log record is; undefined where it is something else that was logged. */
export function eventNameOf(log: Json): string | undefined {
  const name = stringMember(log, "eventName") ?? parseAttributes(member(log, "attributes")).get("event.name");
  return typeof name === "string" ? name : undefined;
}

function spanOfOtlp(item: Json, resource: ReadonlyMap<string, Json>, scope: string | undefined): OpenSpan | undefined {
  const traceId = parseId(member(item, "traceId"));
  const spanId = parseId(member(item, "spanId"));
  if (traceId === undefined || spanId === undefined) return undefined;
  const parentSpanId = parseId(member(item, "parentSpanId"));
  const start = parseNanos(member(item, "startTimeUnixNano"));
  const end = parseNanos(member(item, "endTimeUnixNano"));
  const status = member(item, "status");
  const code = member(status, "code");
  const message = stringMember(status, "message");
  const events = member(item, "events");
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: stringMember(item, "name") ?? "",
    kind: parseSpanKind(member(item, "kind")),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    attributes: parseAttributes(member(item, "attributes")),
    events: Array.isArray(events) ? events.map(eventOfOtlp) : [],
    status: {
      isError: code === 2 || code === "STATUS_CODE_ERROR" || code === "ERROR",
      isOk: code === 1 || code === "STATUS_CODE_OK" || code === "OK",
      ...(message ? { message } : {}),
    },
    resource,
    ...(scope === undefined ? {} : { scope }),
  };
}

function eventOfOtlp(event: Json): SpanEvent {
  const at = parseNanos(member(event, "timeUnixNano"));
  return {
    name: stringMember(event, "name") ?? "",
    ...(at === undefined ? {} : { at }),
    attributes: parseAttributes(member(event, "attributes")),
  };
}
