/** An export request taken apart: each span and log record with its resource and scope, and put together again. */
import type { Json, JsonObject } from "@spoor/core";
import type { Redaction } from "@spoor/core/internal/redact/redaction";
import { isObject, member } from "@spoor/core/internal/trace/json";

export function* eachSpan(document: Json): Generator<{ span: Json; resource: Json; scope: Json }> {
  for (const { item, resource, scope } of eachItem(document, "resourceSpans", "scopeSpans", "spans"))
    yield { span: item, resource, scope };
}

/** A span as a request of its own. */
export function requestOf(span: Json, resource: Json, scope: Json): JsonObject {
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] };
}

export function* eachLog(document: Json): Generator<{ log: Json; resource: Json; scope: Json }> {
  for (const { item, resource, scope } of eachItem(document, "resourceLogs", "scopeLogs", "logRecords"))
    yield { log: item, resource, scope };
}

/** A log record as a request of its own. */
export function logRequestOf(log: Json, resource: Json, scope: Json): JsonObject {
  return { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: [log] }] }] };
}

function* eachItem(document: Json, outer: string, middle: string, inner: string) {
  for (const group of listAt(document, outer)) {
    const resource = member(group, "resource") ?? {};
    for (const part of listAt(group, middle)) {
      const scope = member(part, "scope") ?? {};
      for (const item of listAt(part, inner)) yield { item, resource, scope };
    }
  }
}

function listAt(value: Json | undefined, key: string): readonly Json[] {
  const list = member(value, key);
  return Array.isArray(list) ? list : [];
}

/**
 * Without secrets. Only where people's words stand: ids and clocks are numbers as text, and some of them look like card numbers.
 * An attribute is shown to the redaction under its own name, because some names are secrets' names.
 */
export function redactOtlp(document: Json, redaction: Redaction): Json {
  if (Array.isArray(document)) return document.map((one: Json) => redactOtlp(one, redaction));
  if (!isObject(document)) return document;
  const redacted: Record<string, Json> = {};
  for (const key of Object.keys(document)) {
    const value = document[key]!;
    if (key === "attributes" && Array.isArray(value))
      redacted[key] = value.map((one: Json) => redactAttribute(one, redaction));
    else if (key === "body") redacted[key] = redactValue(value, "body", redaction);
    else if (typeof value === "string") redacted[key] = WORDS.has(key) ? redaction.text(value) : value;
    else redacted[key] = redactOtlp(value, redaction);
  }
  return redacted;
}

/** Texts that people write: the name of a span, an event or a scope, the message of a status. */
const WORDS: ReadonlySet<string> = new Set(["name", "message", "eventName", "traceState"]);

function redactAttribute(attribute: Json, redaction: Redaction): Json {
  const key = member(attribute, "key");
  if (!isObject(attribute) || typeof key !== "string") return attribute;
  return { ...attribute, value: redactValue(member(attribute, "value") ?? null, key, redaction) };
}

/** An `AnyValue` under the name it has. */
function redactValue(value: Json, name: string, redaction: Redaction): Json {
  if (!isObject(value)) return value;
  const redacted: Record<string, Json> = {};
  for (const kind of Object.keys(value)) {
    const inner = value[kind]!;
    if (kind === "stringValue" && typeof inner === "string")
      redacted[kind] = redaction.json({ [name]: inner })[name] as Json;
    else if (kind === "arrayValue")
      redacted[kind] = { values: listAt(inner, "values").map((one) => redactValue(one, name, redaction)) };
    else if (kind === "kvlistValue")
      redacted[kind] = { values: listAt(inner, "values").map((one) => redactAttribute(one, redaction)) };
    else redacted[kind] = inner;
  }
  return redacted;
}
