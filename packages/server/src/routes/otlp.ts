/**
 * OpenTelemetry exporters send here what they would send to a collector. A request is no trace: its spans are kept by trace until each of these is closed
 * (ingest/close-traces.ts). Answers are in the encoding of the request, errors too, and what is worth sending again is 429 or 503, never 500.
 */
import type { IncomingMessage } from "node:http";
import type { SpoorError } from "@spoor/core/internal/errors";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { isObject, type Json, member } from "@spoor/core/internal/trace/json";
import { eventNameOf } from "spoor/internal/formats/otel/otlp-json";
import { loadOtlpProtobuf, type OtlpProtobuf, otlpLists } from "spoor/internal/formats/otel/otlp-protobuf";
import { parseId } from "spoor/internal/formats/otel/spans";
import {
  acceptedAnswer,
  decodeBody,
  type Answer as OtlpAnswer,
  RefusedBody,
  refusedAnswer,
  typeOf,
} from "spoor/internal/record/otlp/otlp-body";
import { eachLog, eachSpan, redactOtlp } from "spoor/internal/record/otlp/otlp-document";
import { storedLog } from "../ingest/stored-log.ts";
import { withBody } from "../ingest/take-body.ts";
import type { StoredSpan } from "../store/store.ts";
import { errorAnswer } from "./error-answer.ts";
import { type Answer, type Asked, defineRoute } from "./route.ts";
import type { Service } from "./service.ts";
import { asUnavailable, requireRoom } from "./traces.ts";

export const pushSpans = defineRoute({
  method: "POST",
  path: "/v1/traces",
  scope: "ingest",
  summary: "Takes OpenTelemetry spans (OTLP over HTTP), each trace of which becomes a run when it is closed.",
  content: "an export request, `application/json` or `application/x-protobuf`; plain or `Content-Encoding: gzip`",
  answer:
    "200 in the encoding of the request, with `partialSuccess` where spans had no ids; errors as a `Status` message.",
  run: (asked, service) => taken(asked, service, "traces"),
  refuse,
});

export const pushLogs = defineRoute({
  method: "POST",
  path: "/v1/logs",
  scope: "ingest",
  summary:
    "Takes OpenTelemetry log records that are events of spans: some SDKs send what was said to a model and what it answered this way.",
  content: "an export request, `application/json` or `application/x-protobuf`; plain or `Content-Encoding: gzip`",
  answer:
    "200 in the encoding of the request, with `partialSuccess` and the number of records that are no event of a span, which are not kept.",
  run: (asked, service) => taken(asked, service, "logs"),
  refuse,
});

export const declineMetrics = defineRoute({
  method: "POST",
  path: "/v1/metrics",
  scope: "ingest",
  summary:
    "Keeps no metrics, and says so in a way that exporters take for an answer: one that is refused complains with every export.",
  content: "an export request, `application/json` or `application/x-protobuf`; plain or `Content-Encoding: gzip`",
  answer:
    "200 in the encoding of the request, with `partialSuccess`: how many data points were not kept, and which variable of the exporter to set.",
  async run({ request }, service) {
    const type = typeOf(request);
    if (type === undefined) throw notOtlp();
    return withBody(request, service, async ({ bytes }) => {
      const protobuf = await loadProtobuf();
      const points = dataPoints(decodeBody(bytes, type, "metrics", protobuf));
      return answerOf(acceptedAnswer(type, points, protobuf, "metrics"));
    });
  },
  refuse,
});

/** Of all metrics in a request, whatever their kind. */
function dataPoints(document: Json): number {
  const every = (value: Json | undefined, key: string): readonly Json[] => {
    const list = member(value, key);
    return Array.isArray(list) ? list : [];
  };
  const metrics = every(document, otlpLists.metrics)
    .flatMap((resource) => every(resource, "scopeMetrics"))
    .flatMap((scope) => every(scope, "metrics"));
  const kinds = metrics.flatMap((metric) => (isObject(metric) ? Object.values(metric) : []));
  return kinds.reduce<number>((sum, kind) => sum + every(kind, "dataPoints").length, 0);
}

function notOtlp(): RefusedBody {
  return new RefusedBody(415, "the body must be application/json or application/x-protobuf");
}

async function taken(
  { caller, request }: Asked<unknown, unknown>,
  service: Service,
  signal: "traces" | "logs",
): Promise<Answer> {
  const type = typeOf(request);
  if (type === undefined) throw notOtlp();
  await requireRoom({ caller }, service);
  return withBody(request, service, async ({ bytes }) => {
    const protobuf = await loadProtobuf();
    // Spans wait in the store for as long as their trace is open: without secrets, as in a recording.
    const document = redactOtlp(decodeBody(bytes, type, signal, protobuf), redaction);
    const { spans, rejected } = (signal === "traces" ? spansOf : logsOf)(document, service.limits.spans);
    await service.store.spans.append(caller.projectId, spans, service.now()).catch(asUnavailable);
    service.metrics.count("spoor_otlp_requests_total");
    return answerOf(acceptedAnswer(type, rejected, protobuf, signal));
  });
}

async function refuse(error: SpoorError, request: IncomingMessage): Promise<Answer> {
  const { status, headers } = errorAnswer(error);
  const refused = answerOf(
    refusedAnswer(typeOf(request) ?? "application/json", status, wordsOf(error), await loadProtobuf()),
  );
  return { ...refused, headers: { ...headers, ...refused.headers } };
}

const redaction = createRedaction();
let loading: Promise<OtlpProtobuf> | undefined;

/** Parsed once, when the first exporter asks. */
function loadProtobuf(): Promise<OtlpProtobuf> {
  loading ??= loadOtlpProtobuf();
  return loading;
}

function spansOf(document: Parameters<typeof eachSpan>[0], most: number) {
  const spans: StoredSpan[] = [];
  let rejected = 0;
  for (const { span, resource, scope } of eachSpan(document)) {
    const traceId = parseId(member(span, "traceId"));
    const spanId = parseId(member(span, "spanId"));
    if (traceId === undefined || spanId === undefined) rejected++;
    else spans.push({ traceId, spanId, resource, scope, span });
    if (spans.length > most) throw new RefusedBody(413, `the request has more than ${most} spans`);
  }
  return { spans, rejected };
}

function logsOf(document: Parameters<typeof eachLog>[0], most: number) {
  const spans: StoredSpan[] = [];
  let rejected = 0;
  let place = 0;
  for (const { log, resource, scope } of eachLog(document)) {
    const traceId = parseId(member(log, "traceId"));
    const isEvent = parseId(member(log, "spanId")) !== undefined && eventNameOf(log) !== undefined;
    if (traceId === undefined || !isEvent) rejected++;
    else spans.push(storedLog(traceId, log, resource, scope, place++));
    if (spans.length > most) throw new RefusedBody(413, `the request has more than ${most} log records`);
  }
  return { spans, rejected };
}

function answerOf({ status, type, body }: OtlpAnswer): Answer {
  return { status, headers: { "content-type": type }, content: body };
}

function wordsOf({ message, hint }: SpoorError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
