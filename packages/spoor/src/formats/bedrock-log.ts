/**
 * Model invocation logs of Bedrock, from S3 (one entry per line) or CloudWatch (`{events: [{message}]}`): every call of every
 * model of an account. Bodies are those of the API that was called: Converse, Anthropic's messages, chat completions, or a
 * prompt with its text; a stream is the list of its events. Conversations side by side are told apart by their histories.
 */
import type { Json, JsonObject } from "@spoor/core";
import { bedrock } from "@spoor/core/internal/providers/bedrock";
import { chat } from "@spoor/core/internal/providers/chat";
import { counted, UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { messages } from "@spoor/core/internal/providers/messages";
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { readExchanges } from "@spoor/core/internal/providers/provider-log";
import { streamOf } from "@spoor/core/internal/providers/stream-codecs";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { completionOf, promptOf } from "./bedrock-text-models.ts";
import { foldConverseEvents, isConverseStream } from "./converse-stream.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Sample,
} from "./format.ts";

export const bedrockLog: Format = {
  name: "bedrock-log",
  title: "Bedrock invocation log",
  origin: "Bedrock model invocation logging: objects in S3 (*.json.gz), or aws logs filter-log-events",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["schemaType", "modelId", "events", "message", "@message"],
  recognise,
  readDocument: (document, context) => readEntries(entriesOf(document), context),
  openLines: (context) => collectLines((values) => readEntries(values.flatMap(entriesOf), context)),
};

function recognise(sample: Sample) {
  const entries = sample.document === undefined ? (sample.lines ?? []).flatMap(entriesOf) : entriesOf(sample.document);
  const own = entries.filter(
    (entry) =>
      member(entry, "schemaType") === "ModelInvocationLog" ||
      (stringMember(entry, "modelId") !== undefined && member(member(entry, "input"), "inputBodyJson") !== undefined),
  );
  if (own.length === 0) return NOT_RECOGNISED;
  return { score: own.length === entries.length ? 0.98 : 0.7, has: ["schemaType", "input", "output"] };
}

/** CloudWatch keeps each entry as text, in `message` or, in a query's answer, `@message`. */
function entriesOf(value: Json): readonly Json[] {
  const list = Array.isArray(value) ? value : member(value, "events");
  if (Array.isArray(list)) return list.flatMap(entriesOf);
  const text = stringMember(value, "message") ?? stringMember(value, "@message");
  const inner = text === undefined ? undefined : parseJsonText(text);
  return [isObject(inner) ? inner : value];
}

function readEntries(entries: readonly Json[], context: ReadContext): ImportedTrace[] {
  const unknown = new UnknownCounter();
  const calls = new Map<ProviderApi, JsonObject[]>();
  let embeddings = 0;
  for (const entry of entries) {
    const call = exchangeOf(entry, unknown);
    if (call === "embedding") embeddings++;
    else if (call !== undefined) {
      const same = calls.get(call.api);
      if (same === undefined) calls.set(call.api, [call.exchange]);
      else same.push(call.exchange);
    }
  }
  if (calls.size === 0) {
    const seen = Object.entries(unknown.result().unknown ?? {}).map(([what, count]) => `${what} (${count})`);
    return context.fail(
      `holds no call of a model with its text: ${[...seen, ...(embeddings > 0 ? [`embeddings (${embeddings})`] : [])].join(", ")}; text delivery must be on in the settings of model invocation logging`,
    );
  }
  const traces = [...calls].flatMap(([api, exchanges]) => readExchanges(exchanges, api));
  const notes = embeddings === 0 ? [] : [`${counted(embeddings, "call")} of embedding models left out`];
  return traces.map((trace, index) => ({
    ...trace,
    ...(traces.length === 1 ? {} : { entry: `conversation ${index + 1}` }),
    ...(index === 0 ? withCounts(trace, unknown, notes) : {}),
  }));
}

/** What concerns the file as a whole is told with its first conversation. */
function withCounts(trace: ImportedTrace, counter: UnknownCounter, further: readonly string[]): Partial<ImportedTrace> {
  const unknown = { ...trace.unknown, ...counter.result().unknown };
  const notes = [...(trace.notes ?? []), ...further];
  return {
    ...(Object.keys(unknown).length === 0 ? {} : { unknown }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

interface LoggedCall {
  readonly api: ProviderApi;
  readonly exchange: JsonObject;
}

function exchangeOf(entry: Json, unknown: UnknownCounter): LoggedCall | "embedding" | undefined {
  const input = bodyOf(member(entry, "input"), "input");
  const output = bodyOf(member(entry, "output"), "output");
  const code = stringMember(entry, "errorCode");
  const modelId = stringMember(entry, "modelId");
  if (isEmbedding(input, output, modelId)) return "embedding";
  if (input === undefined && output === undefined && code === undefined) {
    unknown.add(keptApart(entry) ? "entry whose bodies are kept apart in S3" : "entry without bodies");
    return undefined;
  }
  const api = apiOf(input, output);
  const response = output === undefined ? undefined : responseOf(entry, output, api, unknown);
  const request = api === chat && !Array.isArray(member(input, "messages")) ? promptOf(input) : input;
  const latencyMs = numberMember(metricsOf(output), "invocationLatency");
  const exchange = present({
    // What was asked may be missing; the answer, or that there was none, is told all the same.
    request: present({ messages: [], ...(isObject(request) ? request : {}), model: modelId, modelId }),
    response,
    error: code === undefined ? undefined : { code, message: stringMember(entry, "errorMessage") ?? code },
    id: stringMember(entry, "requestId"),
    timestamp: stringMember(entry, "timestamp"),
    latencyMs,
    metadata: firstMember(entry, ["requestMetadata"]),
  });
  return { api, exchange };
}

function bodyOf(half: Json | undefined, side: "input" | "output"): Json | undefined {
  const body = member(half, `${side}BodyJson`) ?? undefined;
  return typeof body === "string" ? parseJsonText(body) : (body ?? undefined);
}

function keptApart(entry: Json): boolean {
  return ["input", "output"].some((side) => stringMember(member(entry, side), `${side}BodyS3Path`) !== undefined);
}

function isEmbedding(input: Json | undefined, output: Json | undefined, modelId: string | undefined): boolean {
  const vectors = firstMember(output, ["embedding", "embeddings", "embeddingsByType"]);
  return vectors !== undefined || (/embed/.test(modelId ?? "") && member(input, "messages") === undefined);
}

function apiOf(input: Json | undefined, output: Json | undefined): ProviderApi {
  if (Array.isArray(output)) {
    if (isConverseStream(output)) return bedrock;
    return output.some((event) => stringMember(event, "type") === "message_start") ? messages : chat;
  }
  if (bedrock.isResponse(output)) return bedrock;
  if (messages.isResponse(output)) return messages;
  if (output !== undefined) return chat;
  if (stringMember(input, "anthropic_version") !== undefined) return messages;
  return input !== undefined && chat.recognise(input).score > bedrock.recognise(input).score ? chat : bedrock;
}

function responseOf(entry: Json, output: Json, api: ProviderApi, unknown: UnknownCounter): Json {
  const bodies = Array.isArray(output) ? output : [output];
  if (api === chat && !bodies.some((body) => Array.isArray(member(body, "choices"))))
    return completionOf(bodies, entry, unknown);
  if (!Array.isArray(output)) return output;
  if (api === bedrock) return foldConverseEvents(output);
  const fold = streamOf(api)!.fold(unknown);
  for (const event of output) if (isObject(event)) fold.event(event);
  return fold.body() ?? {};
}

/** Bedrock adds its own measurement to the last event of a stream, or to the body. */
function metricsOf(output: Json | undefined): Json | undefined {
  const last = Array.isArray(output) ? output.findLast((event) => member(event, METRICS) !== undefined) : output;
  return member(last, METRICS);
}

const METRICS = "amazon-bedrock-invocationMetrics";
