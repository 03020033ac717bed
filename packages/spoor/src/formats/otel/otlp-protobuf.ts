/**
 * OTLP/protobuf: the body of an export request, or several of them each behind a four-byte length (the collector's file
 * exporter). Decoded into the shape of OTLP JSON, so that both wires give the same records.
 */
import type { Json, JsonObject } from "@spoor/core";
import { type Format, NOT_RECOGNISED, type ReadContext, type Recognition } from "../format.ts";
import { spansOfOtlp } from "./otlp-json.ts";
import { OTLP_PROTO } from "./otlp-proto-text.ts";
import { tracesOfSpans } from "./records.ts";
import { hexOf } from "./spans.ts";

export const otlpProtobuf: Format = {
  name: "otlp-protobuf",
  title: "OpenTelemetry spans (OTLP protobuf)",
  origin: "the collector's file exporter with format: proto, or bodies of OTLP/HTTP and OTLP/gRPC",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: [],
  recognise: (sample) => (sample.bytes === undefined ? NOT_RECOGNISED : recogniseBytes(sample.bytes)),
  async readBytes(bytes, context) {
    const { decode } = await loadOtlpProtobuf();
    const requests = splitRequests(bytes).map((request) => decodeRequest(decode, request, context));
    return tracesOfSpans(spansOfOtlp(requests, "resourceSpans", context), context);
  },
};

/** Field 1 with a plausible length (the end may be missing), and inside it field 1 or 2: hardly anything else begins so. */
function recogniseBytes(bytes: Uint8Array): Recognition {
  const body = isFramed(bytes) ? bytes.subarray(4) : bytes;
  const inner = innerOffset(body);
  const fits = inner !== undefined && (body[inner] === 0x0a || body[inner] === 0x12);
  return fits ? { score: 0.9, has: ["resource_spans"] } : NOT_RECOGNISED;
}

function isFramed(bytes: Uint8Array): boolean {
  return bytes.length > 5 && bytes[0] === 0 && bytes[4] === 0x0a && frameLength(bytes, 0) <= bytes.length - 4;
}

function frameLength(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}

/** Where the content of the first field begins, when it is field 1 and not absurdly long. */
function innerOffset(bytes: Uint8Array): number | undefined {
  if (bytes[0] !== 0x0a) return undefined;
  let length = 0;
  for (let at = 1; at < Math.min(bytes.length, 6); at++) {
    length += (bytes[at]! & 0x7f) * 2 ** (7 * (at - 1));
    if (bytes[at]! < 0x80) return length > 0 && length < 2 ** 30 ? at + 1 : undefined;
  }
  return undefined;
}

/** The bodies of a file that holds one or several. */
export function splitRequests(bytes: Uint8Array): Uint8Array[] {
  if (!isFramed(bytes)) return [bytes];
  const requests: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.length - at >= 4 ? frameLength(bytes, at) : Number.POSITIVE_INFINITY;
    // A frame that is cut short is handed on as it is: the decoder says so.
    requests.push(bytes.subarray(at + 4, at + 4 + Math.min(length, bytes.length)));
    at += 4 + length;
  }
  return requests;
}

/** What a body of OTLP/protobuf holds, in the shape of OTLP JSON; throws when it cannot be decoded. */
type Decode = (bytes: Uint8Array, signal?: OtlpSignal) => Json;
/** Of metrics their number is read, and nothing else. */
export type OtlpSignal = "traces" | "logs" | "metrics";

/** The member of a request that has everything of it. */
export const otlpLists = { traces: "resourceSpans", logs: "resourceLogs", metrics: "resourceMetrics" } as const;

export interface OtlpProtobuf {
  readonly decode: Decode;
  /** The bytes of a request (`TracesData`, `LogsData`) or an answer. */
  encode(message: "TracesData" | "LogsData" | "TracesAnswer" | "Failure", value: JsonObject): Uint8Array;
}

/** protobufjs is loaded only when such a file turns up: it would cost every other command a noticeable start. */
export async function loadOtlpProtobuf(): Promise<OtlpProtobuf> {
  const { default: protobuf } = await import("protobufjs");
  const { root } = protobuf.parse(OTLP_PROTO);
  const types = {
    traces: root.lookupType("TracesData"),
    logs: root.lookupType("LogsData"),
    metrics: root.lookupType("MetricsData"),
  };
  return {
    decode(bytes, signal = "traces") {
      const decoded: unknown = types[signal].toObject(types[signal].decode(bytes), { longs: String });
      return withHexIds({ [otlpLists[signal]]: [], ...(decoded as object) });
    },
    encode(message, value) {
      const type = root.lookupType(message);
      return type.encode(type.fromObject(value)).finish();
    },
  };
}

function decodeRequest(decode: Decode, bytes: Uint8Array, context: ReadContext): Json {
  try {
    return decode(bytes);
  } catch {
    return context.fail("is damaged: it begins like OTLP protobuf but cannot be decoded to its end");
  }
}

/** Bytes become hex: that is how OTLP JSON writes ids. */
function withHexIds(value: unknown): Json {
  if (value instanceof Uint8Array) return hexOf(value);
  if (Array.isArray(value)) return value.map(withHexIds);
  if (typeof value !== "object" || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withHexIds(item)]));
}
