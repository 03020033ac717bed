/**
 * Jaeger's query API and UI download: `{data: [{traceID, spans, processes}]}`. Times are microseconds; the parent is the
 * reference of type CHILD_OF; kind and status travel as tags.
 */
import type { Json } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Format, NOT_RECOGNISED, type ReadContext, type Recognition, type Sample } from "../format.ts";
import { tracesOfSpans } from "./records.ts";
import { parseId, parseSpanKind, type Span, type SpanEvent } from "./spans.ts";

export const jaeger: Format = {
  name: "jaeger",
  title: "Jaeger trace",
  origin: "GET /api/traces/<id> of Jaeger, or the download of its UI",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["data"],
  recognise,
  readDocument: (document, context) => tracesOfSpans(spansOfJaeger(document, context), context),
};

function recognise(sample: Sample): Recognition {
  const data = member(sample.document, "data");
  if (!Array.isArray(data)) return NOT_RECOGNISED;
  const first = data.find(isObject);
  const keys = ["traceID", "spans", "processes"];
  const has = keys.filter((key) => member(first, key) !== undefined);
  const lacks = keys.filter((key) => !has.includes(key));
  return { score: lacks.length === 0 ? 1 : has.includes("spans") && has.includes("traceID") ? 0.8 : 0.1, has, lacks };
}

function spansOfJaeger(document: Json, context: ReadContext): { spans: Span[]; skipped: number } {
  const data = member(document, "data");
  if (!Array.isArray(data)) return context.fail('has no list "data"', { path: "data" });
  const spans: Span[] = [];
  let skipped = 0;
  for (const trace of data) {
    const list = member(trace, "spans");
    const resources = resourcesOf(member(trace, "processes"));
    for (const item of Array.isArray(list) ? list : []) {
      const span = spanOfJaeger(item, parseId(member(trace, "traceID")), resources);
      if (span === undefined) skipped++;
      else spans.push(span);
    }
  }
  return { spans, skipped };
}

function resourcesOf(processes: Json | undefined): Map<string, Map<string, Json>> {
  const resources = new Map<string, Map<string, Json>>();
  if (!isObject(processes)) return resources;
  for (const [id, process] of Object.entries(processes)) {
    const resource = parseTags(member(process, "tags"));
    const service = stringMember(process, "serviceName");
    if (service !== undefined) resource.set("service.name", service);
    resources.set(id, resource);
  }
  return resources;
}

const NO_RESOURCE: ReadonlyMap<string, Json> = new Map();

function spanOfJaeger(
  item: Json,
  traceId: string | undefined,
  resources: ReadonlyMap<string, ReadonlyMap<string, Json>>,
): Span | undefined {
  const ownTrace = parseId(member(item, "traceID")) ?? traceId;
  const spanId = parseId(member(item, "spanID"));
  if (ownTrace === undefined || spanId === undefined) return undefined;
  const tags = parseTags(member(item, "tags"));
  const parentSpanId = parentOf(member(item, "references"));
  const start = nanosOfMicros(member(item, "startTime"));
  const duration = nanosOfMicros(member(item, "duration"));
  const message = tags.get("otel.status_description");
  const logs = member(item, "logs");
  const scope = tags.get("otel.scope.name") ?? tags.get("otel.library.name");
  return {
    traceId: ownTrace,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: stringMember(item, "operationName") ?? "",
    kind: parseSpanKind(tags.get("span.kind")),
    ...(start === undefined ? {} : { start }),
    ...(start === undefined || duration === undefined ? {} : { end: start + duration }),
    attributes: tags,
    events: Array.isArray(logs) ? logs.map(eventOfLog) : [],
    status: {
      isError: tags.get("otel.status_code") === "ERROR" || tags.get("error") === true || tags.get("error") === "true",
      isOk: tags.get("otel.status_code") === "OK",
      ...(typeof message === "string" ? { message } : {}),
    },
    resource: resources.get(stringMember(item, "processID") ?? "") ?? NO_RESOURCE,
    ...(typeof scope === "string" ? { scope } : {}),
  };
}

function parseTags(list: Json | undefined): Map<string, Json> {
  const tags = new Map<string, Json>();
  if (!Array.isArray(list)) return tags;
  for (const tag of list) {
    const key = stringMember(tag, "key");
    const value = member(tag, "value");
    if (key !== undefined && value !== undefined) tags.set(key, value);
  }
  return tags;
}

function parentOf(references: Json | undefined): string | undefined {
  if (!Array.isArray(references)) return undefined;
  const parent = references.find((item) => member(item, "refType") === "CHILD_OF") ?? references[0];
  return parseId(member(parent, "spanID"));
}

function eventOfLog(log: Json): SpanEvent {
  const attributes = parseTags(member(log, "fields"));
  const name = attributes.get("event") ?? attributes.get("name");
  const at = nanosOfMicros(member(log, "timestamp"));
  return { name: typeof name === "string" ? name : "", ...(at === undefined ? {} : { at }), attributes };
}

function nanosOfMicros(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value >= 0n ? value * 1000n : undefined;
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return undefined;
  return BigInt(Math.round(value)) * 1000n;
}
