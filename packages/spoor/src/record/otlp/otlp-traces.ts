/**
 * Spans and log records as they arrive, by trace. A span that is sent again replaces itself. A trace is due when its root has ended
 * and nothing came for a while, when it has waited too long, or when everything is closed; one that grows later is due again.
 */
import type { Json, JsonObject } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { member, scalarText } from "@spoor/core/internal/trace/json";
import { parseId } from "../../formats/otel/spans.ts";
import { eachLog, eachSpan, logRequestOf, requestOf } from "./otlp-document.ts";

/** Nothing came for so long after the root ended: it is whole. */
export const SILENT_MS = 5_000;
/** What has waited so long is written as it is: the root may never come. */
export const PATIENCE_MS = 60_000;

/** A written trace is kept in memory for so long, for spans that come late. */
export const KEPT_MS = 600_000;

export interface OtlpTraces {
  /** Takes what a request brought, `only` of these traces; how many spans had no ids and were left aside. */
  add(document: Json, atMs: number, only?: ReadonlySet<string>): { readonly spans: number; readonly rejected: number };
  /** Traces of a request that were written long ago and are not in memory any more: they have to be added again first. */
  forgottenIn(document: Json): ReadonlySet<string>;
  /** Lets go of what was written and has been silent for long. */
  forget(nowMs: number): void;
  /** Ids of traces to write now. */
  due(nowMs: number): string[];
  /** All that have something to write. */
  open(): string[];
  /** When `due` will next have something; undefined when nothing waits. */
  nextDueMs(): number | undefined;
  /** What a trace consists of, as one request; it waits no longer until something more comes. */
  take(traceId: string): TakenTrace;
}

export interface TakenTrace {
  readonly document: JsonObject;
  readonly spans: number;
  /** Whether a span without a parent is there and has ended. */
  readonly rootEnded: boolean;
  /** Parents that spans name and that never came. */
  readonly missingParents: number;
  /** Whether what is missing is a caller elsewhere, which sends its spans to somebody else. */
  readonly isRemote: boolean;
}

interface Gathered {
  /** Each with its resource and scope, as a request of its own. */
  readonly spans: Map<string, { readonly request: JsonObject; readonly parent: string | undefined }>;
  readonly logs: Map<string, JsonObject>;
  rootEnded: boolean;
  firstMs: number | undefined;
  lastMs: number;
}

export function createOtlpTraces(): OtlpTraces {
  const traces = new Map<string, Gathered>();
  const waiting = new Map<string, Gathered>();
  const forgotten = new Set<string>();

  return {
    add(document, atMs, only) {
      let spans = 0;
      let rejected = 0;
      for (const { span, resource, scope } of eachSpan(document)) {
        const traceId = parseId(member(span, "traceId"));
        const spanId = parseId(member(span, "spanId"));
        if (traceId === undefined || spanId === undefined) {
          rejected++;
          continue;
        }
        if (only?.has(traceId) === false) continue;
        spans++;
        const trace = touch(traceId, atMs);
        const parent = parseId(member(span, "parentSpanId"));
        trace.spans.set(spanId, { request: requestOf(span, resource, scope), parent });
        if (parent === undefined && hasEnded(span)) trace.rootEnded = true;
      }
      for (const { log, resource, scope } of eachLog(document)) {
        const traceId = parseId(member(log, "traceId"));
        if (traceId === undefined || only?.has(traceId) === false) continue;
        const request = logRequestOf(log, resource, scope);
        // A log record has no id: the same words at the same time are the same record.
        touch(traceId, atMs).logs.set(canonicalJson(request), request);
      }
      return { spans, rejected };
    },
    forgottenIn(document) {
      const found = new Set<string>();
      if (forgotten.size === 0) return found;
      for (const item of itemsOf(document)) {
        const traceId = parseId(member(item, "traceId"));
        if (traceId !== undefined && forgotten.has(traceId)) found.add(traceId);
      }
      return found;
    },
    forget(nowMs) {
      for (const [id, { firstMs, lastMs }] of traces) {
        if (firstMs !== undefined || nowMs - lastMs < KEPT_MS) continue;
        traces.delete(id);
        forgotten.add(id);
      }
    },
    due: (nowMs) => [...waiting].flatMap(([id, trace]) => (isWhole(trace) && dueAt(trace) <= nowMs ? [id] : [])),
    open: () => [...waiting].flatMap(([id, trace]) => (isWhole(trace) ? [id] : [])),
    nextDueMs() {
      let next: number | undefined;
      for (const trace of waiting.values())
        if (isWhole(trace)) next = Math.min(next ?? Number.POSITIVE_INFINITY, dueAt(trace));
      return next;
    },
    take(traceId) {
      const trace = waiting.get(traceId)!;
      waiting.delete(traceId);
      trace.firstMs = undefined;
      return taken(trace);
    },
  };

  function touch(traceId: string, atMs: number): Gathered {
    let trace = traces.get(traceId);
    if (trace === undefined) {
      trace = { spans: new Map(), logs: new Map(), rootEnded: false, firstMs: atMs, lastMs: atMs };
      traces.set(traceId, trace);
      forgotten.delete(traceId);
    }
    waiting.set(traceId, trace);
    trace.firstMs ??= atMs;
    trace.lastMs = atMs;
    return trace;
  }
}

function* itemsOf(document: Json): Generator<Json> {
  for (const { span } of eachSpan(document)) yield span;
  for (const { log } of eachLog(document)) yield log;
}

/** Log records without any span wait for one: alone they are no trace. */
function isWhole({ spans }: Gathered): boolean {
  return spans.size > 0;
}

function dueAt({ rootEnded, firstMs, lastMs }: Gathered): number {
  const patience = firstMs! + PATIENCE_MS;
  return rootEnded ? Math.min(lastMs + SILENT_MS, patience) : patience;
}

function taken({ spans, logs, rootEnded }: Gathered): TakenTrace {
  const missing = new Set<string>();
  for (const { parent } of spans.values()) if (parent !== undefined && !spans.has(parent)) missing.add(parent);
  return {
    document: {
      resourceSpans: [...spans.values()].flatMap(({ request }) => listIn(request, "resourceSpans")),
      resourceLogs: [...logs.values()].flatMap((request) => listIn(request, "resourceLogs")),
    },
    spans: spans.size,
    rootEnded,
    missingParents: missing.size,
    isRemote: !rootEnded && missing.size === 1,
  };
}

function listIn(request: JsonObject, key: string): readonly Json[] {
  const list = member(request, key);
  return Array.isArray(list) ? list : [];
}

function hasEnded(span: Json): boolean {
  const end = member(span, "endTimeUnixNano");
  const text = end === null ? undefined : scalarText(end);
  return text !== undefined && text !== "0" && text !== "";
}
