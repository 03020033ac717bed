/**
 * MLflow traces: `{info, data: {spans}}` as `Trace.to_json()` writes them, the file of spans that MLflow keeps, rows of a search. A span says what
 * it is in `mlflow.spanType`; its inputs, outputs and counts are attributes, each a JSON text of its own.
 */
import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Activity, AROUND, type Did } from "./activities/activity.ts";
import { parseToolInput } from "./activities/tool-input.ts";
import { parseToolOutput } from "./activities/tool-output.ts";
import { type ReadTrace, tracesOfRuns } from "./activities/traces-of-runs.ts";
import { frameRows } from "./data-frame.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";

export const mlflow: Format = {
  name: "mlflow",
  title: "MLflow traces",
  origin:
    "mlflow.get_trace(id).to_json(), mlflow traces get --trace-id ID, search_traces().to_json(), traces.json among the artifacts of a trace",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["trace_id", "request_id", "traces", "trace", "data", "spans", "columns", "schema"],
  isTable: true,
  recognise,
  readDocument: (document, context) => readTraces([document], context),
  openLines: (context) => collectLines((values) => readTraces(values, context)),
};

function recognise({ document, lines = [] }: Sample): Recognition {
  const [first] = (document === undefined ? lines : [document]).flatMap(tracesOf);
  const own = first?.spans.some((span) =>
    SPAN_KEYS.some((key) => member(member(span, "attributes"), key) !== undefined),
  );
  if (first !== undefined && first.spans.length === 0 && isRowWithoutSpans(first.info ?? null))
    return { score: 0.6, has: ["trace_id", "trace_metadata"], lacks: ["spans"] };
  return own === true ? { score: 0.96, has: ["spans", "mlflow.spanType"] } : NOT_RECOGNISED;
}

const SPAN_KEYS = ["mlflow.spanType", "mlflow.traceRequestId", "mlflow.spanInputs"];

interface MlflowTrace {
  readonly info: Json | undefined;
  readonly spans: readonly Json[];
}

/** What a table of traces is known by: the id, whose name changed with version 3. */
const ID_COLUMNS = ["trace_id", "request_id"];

function tracesOf(value: Json): MlflowTrace[] {
  if (Array.isArray(value)) return value.flatMap(tracesOf);
  const rows = frameRows(value, ID_COLUMNS);
  if (rows !== undefined) return rows.flatMap(tracesOf);
  const nested = member(value, "traces");
  if (Array.isArray(nested)) return nested.flatMap(tracesOf);
  const text = member(value, "trace");
  const inner = typeof text === "string" ? parseJsonText(text) : text;
  if (isObject(inner) && isObject(member(inner, "data"))) return tracesOf(inner);
  const written = member(member(value, "data"), "spans") ?? member(value, "spans");
  const spans = typeof written === "string" ? parseJsonText(written) : written;
  if (!Array.isArray(spans)) return isRowWithoutSpans(value) ? [{ info: value, spans: [] }] : [];
  return [{ info: member(value, "info") ?? value, spans }];
}

/** A row of `search_traces(include_spans=False)`: it tells that there was a run, and nothing that happened in it. */
function isRowWithoutSpans(value: Json): boolean {
  const isNamed = ID_COLUMNS.some((key) => stringMember(value, key) !== undefined);
  return isNamed && ["trace_metadata", "request_metadata"].some((key) => isObject(member(value, key)));
}

function readTraces(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const traces = values.flatMap(tracesOf);
  if (traces.length === 0) return context.fail("has no spans", { path: "data.spans" });
  if (traces.every(({ spans }) => spans.length === 0))
    return context.fail("holds traces without their spans, so nothing of what happened in them", {
      hint: "Write them with their spans: mlflow.search_traces(include_spans=True).to_json(orient='records'), or mlflow.get_trace(id).to_json().",
    });
  return tracesOfRuns(traces.map(readTrace), context, {
    advice:
      "Put one span around each run (@mlflow.trace on its function) or give its calls one session " +
      '(mlflow.update_current_trace(metadata={"mlflow.trace.session": run_id}))',
    nothing: "no span is a model or tool call",
  });
}

function readTrace({ info, spans }: MlflowTrace, index: number): ReadTrace {
  const unknown = new UnknownCounter();
  const id = firstMember(info, ["trace_id", "request_id"]);
  const traceId = typeof id === "string" ? id : undefined;
  const names = new Set(spans.map((span) => stringMember(span, "name") ?? ""));
  const metadata = firstMember(info, ["trace_metadata", "request_metadata"]);
  return {
    entry: traceId ?? `trace ${index + 1}`,
    session: stringMember(metadata, "mlflow.trace.session"),
    facts: { traceId, agent: stringMember(member(info, "tags"), "mlflow.traceName") },
    activities: spans.flatMap((span, place) => activityOf(span, place, names, unknown)),
    unknown,
  };
}

function activityOf(span: Json, index: number, names: ReadonlySet<string>, unknown: UnknownCounter): Activity[] {
  if (!isObject(span)) {
    unknown.add("span that is no object");
    return [];
  }
  // Before version 3 the ids stood in a context of their own, and clocks had other names.
  const context = member(span, "context");
  const id = stringMember(span, "span_id") ?? stringMember(context, "span_id") ?? `span-${index}`;
  const parent = firstMember(span, ["parent_span_id", "parent_id"]);
  const code = stringMember(member(span, "status"), "code") ?? stringMember(span, "status_code") ?? "";
  const message = stringMember(member(span, "status"), "message") ?? stringMember(span, "status_message");
  const { did, failed } = meaningOf(span, names, unknown);
  const thrown = exceptionOf(span);
  const isError = /ERROR$/.test(code) || failed === true;
  return [
    {
      id,
      parentId: typeof parent === "string" && parent !== "" ? parent : undefined,
      start: nanosOf(firstMember(span, ["start_time_unix_nano", "start_time"])),
      end: nanosOf(firstMember(span, ["end_time_unix_nano", "end_time"])),
      failure: isError
        ? {
            message: stringMember(thrown, "exception.message") ?? (message || undefined),
            kind: stringMember(thrown, "exception.type"),
          }
        : undefined,
      did,
    },
  ];
}

function exceptionOf(span: JsonObject): Json | undefined {
  const events = member(span, "events");
  const event = Array.isArray(events) ? events.find((one) => member(one, "name") === "exception") : undefined;
  return member(event, "attributes");
}

function nanosOf(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value > 0n ? value : undefined;
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return BigInt(value);
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? BigInt(value) : undefined;
}

/** An attribute; it is a JSON text wherever MLflow itself wrote it. */
function attributeOf(span: JsonObject, key: string): Json | undefined {
  const value = member(member(span, "attributes"), key);
  return typeof value === "string" ? (parseJsonText(value) ?? value) : (value ?? undefined);
}

function meaningOf(
  span: JsonObject,
  names: ReadonlySet<string>,
  unknown: UnknownCounter,
): { did: Did; failed?: true | undefined } {
  const type = attributeOf(span, "mlflow.spanType");
  const name = stringMember(span, "name") ?? "";
  switch (type) {
    case "CHAT_MODEL":
    case "LLM":
      return { did: modelCall(span, unknown) };
    case "TOOL": {
      const { output, callId, failed } = parseToolOutput(attributeOf(span, "mlflow.spanOutputs"));
      const input = parseToolInput(attributeOf(span, "mlflow.spanInputs"));
      return { did: { kind: "tool", name: toolName(span, name, names), callId, input, output }, failed };
    }
    case "AGENT":
      return { did: { kind: "agent", name } };
    case "RETRIEVER":
    case "EMBEDDING":
    case "RERANKER":
    case "MEMORY":
      return { did: { kind: "step", category: "step", name: name || type.toLowerCase() } };
    default:
      return { did: AROUND };
  }
}

/** Before version 3 spans of one name were numbered: `lookup_1`, `lookup_2`. */
function toolName(span: JsonObject, name: string, names: ReadonlySet<string>): string {
  const fn = attributeOf(span, "mlflow.spanFunctionName");
  if (typeof fn === "string") return fn;
  const base = /^(.+)_\d+$/.exec(name)?.[1];
  const isNumbered =
    base !== undefined && isObject(member(span, "context")) && (names.has(`${base}_1`) || names.has(base));
  return isNumbered ? base : name;
}

function modelCall(span: JsonObject, unknown: UnknownCounter): Did {
  const inputs = attributeOf(span, "mlflow.spanInputs");
  const reply = parseReply(attributeOf(span, "mlflow.spanOutputs"), unknown);
  const model = attributeOf(span, "mlflow.llm.model") ?? attributeOf(span, "model") ?? member(inputs, "model");
  return {
    kind: "model",
    request: parseRequest(inputs, unknown),
    reply,
    requestModel: typeof model === "string" ? model : undefined,
    tools: toolDefinitions(attributeOf(span, "mlflow.chat.tools")),
    // The body tells cached and reasoning tokens apart; MLflow's own count may not.
    usage: reply?.usage ?? parseUsage(attributeOf(span, "mlflow.chat.tokenUsage")),
  };
}
