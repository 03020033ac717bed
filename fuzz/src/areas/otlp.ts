/** What OpenTelemetry exporters send, damaged: JSON and protobuf, plain and packed, through the receiver's own steps into records. */
import { gzipSync } from "node:zlib";
import { buildTrace, type Json, type JsonObject, parseJson, SpoorError } from "@spoor/core";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { isObject } from "@spoor/core/internal/trace/json";
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import { loadOtlpProtobuf, type OtlpProtobuf } from "spoor/internal/formats/otel/otlp-protobuf";
import { BODY_LIMITS, decodeBody, type OtlpType, RefusedBody, unpackBody } from "spoor/internal/record/otlp/otlp-body";
import { redactOtlp } from "spoor/internal/record/otlp/otlp-document";
import { createOtlpTraces } from "spoor/internal/record/otlp/otlp-traces";
import { recordsOfSpans } from "spoor/internal/record/otlp/trace-files";
import { type Area, RESULT } from "../area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";

export const otlpArea: Area = {
  name: "otlp",
  about: "export requests in JSON and protobuf, plain and packed, through the receiver into records",
  share: 60,
  async open() {
    const protobuf = await loadOtlpProtobuf();
    const redaction = createRedaction();
    return {
      seeds: exportRequests(),
      async drive({ seed, bytes, choice }) {
        const body = bodyOf(seed, bytes, choice, protobuf);
        try {
          const isPacked = choice % 5 === 0;
          const packed = isPacked ? gzipSync(body.bytes) : body.bytes;
          const unpacked = await unpackBody(packed, isPacked ? "gzip" : "identity", BODY_LIMITS);
          const document = redactOtlp(decodeBody(unpacked, body.type, body.signal, protobuf), redaction);
          const traces = createOtlpTraces();
          traces.add(document, 1_000);
          // An exporter that heard no answer sends it again.
          if (choice % 3 === 0) traces.add(document, 2_000);
          traces.due(10_000);
          for (const id of traces.open()) {
            const records = recordsOfSpans(id, traces.take(id), {});
            if (records !== undefined) buildTrace(recordsIn(writeAgentlog(records)));
          }
          return RESULT;
        } catch (error) {
          if (error instanceof RefusedBody) return "otlp.refused";
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

function recordsIn(text: string): never[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : [parseJson(line) as never]));
}

/** Requests as exporters send them; what only a program has in it is there too: lists, maps, bytes, events, links, a failed span. */
export function exportRequests(): Seed[] {
  const folder = "packages/spoor/test/fixtures";
  return [
    seedOf(`${folder}/otlp/weather.json`),
    seedOf(`${folder}/otlp-protobuf/weather.pb`),
    readSeed("rich.json", Buffer.from(JSON.stringify({ resourceSpans: [RICH] }))),
    readSeed("logs.json", Buffer.from(JSON.stringify({ resourceLogs: [LOGS] }))),
  ];
}

const IDS = { traceId: "5b8efff798038103d269b633813fc60c", spanId: "eee19b7ec3c1b174" };
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const RICH = {
  resource: { attributes: [text("service.name", "agent")] },
  scopeSpans: [
    {
      scope: { name: "tracer", version: "1" },
      spans: [
        {
          ...IDS,
          name: "chat m-1",
          kind: 3,
          startTimeUnixNano: "1700000000000000000",
          endTimeUnixNano: "1700000001000000000",
          attributes: [
            text("gen_ai.operation.name", "chat"),
            text("gen_ai.request.model", "m-1"),
            text("gen_ai.input.messages", '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]'),
            text("gen_ai.output.messages", '[{"role":"assistant","parts":[{"type":"text","content":"ok"}]}]'),
            { key: "gen_ai.usage.input_tokens", value: { intValue: "12" } },
            { key: "list", value: { arrayValue: { values: [{ doubleValue: 0.5 }, { boolValue: true }] } } },
            { key: "map", value: { kvlistValue: { values: [text("a", "b")] } } },
            { key: "bytes", value: { bytesValue: "AAEC" } },
          ],
          events: [{ name: "exception", timeUnixNano: "1700000000500000000", attributes: [text("message", "no")] }],
          links: [{ ...IDS }],
          status: { code: 2, message: "failed" },
        },
        {
          ...IDS,
          spanId: "eee19b7ec3c1b175",
          parentSpanId: IDS.spanId,
          name: "execute_tool lookup",
          startTimeUnixNano: 1700000000100000000,
          endTimeUnixNano: "1700000000200000000",
          attributes: [text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", "lookup")],
        },
      ],
    },
  ],
};
const LOGS = {
  resource: RICH.resource,
  scopeLogs: [
    {
      scope: { name: "events" },
      logRecords: [
        {
          ...IDS,
          timeUnixNano: "1700000000500000000",
          eventName: "gen_ai.user.message",
          body: { kvlistValue: { values: [text("content", "hi")] } },
          attributes: [text("gen_ai.system", "x")],
        },
      ],
    },
  ],
};

interface Sent {
  readonly bytes: Buffer;
  readonly type: OtlpType;
  readonly signal: "traces" | "logs";
}

/** A damaged document is sent as protobuf too, where it still can be: its damage gets past the decoder then. */
function bodyOf(seed: string, bytes: Buffer, choice: number, protobuf: OtlpProtobuf): Sent {
  const signal = seed === "logs.json" ? "logs" : "traces";
  if (seed.endsWith(".pb")) return { bytes, type: "application/x-protobuf", signal };
  const document = choice % 2 === 0 ? documentOf(bytes) : undefined;
  const encoded = document === undefined ? undefined : encodedAs(signal, document, protobuf);
  return encoded === undefined
    ? { bytes, type: "application/json", signal }
    : { bytes: encoded, type: "application/x-protobuf", signal };
}

function documentOf(bytes: Buffer): JsonObject | undefined {
  try {
    const value: Json = parseJson(bytes.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function encodedAs(signal: "traces" | "logs", document: JsonObject, protobuf: OtlpProtobuf): Buffer | undefined {
  try {
    return Buffer.from(protobuf.encode(signal === "traces" ? "TracesData" : "LogsData", document));
  } catch {
    // Not what the schema can hold: nobody could send it so.
    return undefined;
  }
}
