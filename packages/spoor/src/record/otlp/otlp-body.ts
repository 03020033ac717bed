/** The body of an export request: within its limits, unpacked and decoded, or the status with which it is refused. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { type OtlpProtobuf, type OtlpSignal, otlpLists } from "../../formats/otel/otlp-protobuf.ts";

export type OtlpType = "application/json" | "application/x-protobuf";

export interface BodyLimits {
  readonly wireBytes: number;
  readonly decodedBytes: number;
}

export const BODY_LIMITS: BodyLimits = { wireBytes: 16 * 1024 * 1024, decodedBytes: 64 * 1024 * 1024 };

/** Why a request is not taken: 400 undecodable, 413 too large, 415 in a type or coding that is not read. */
export class RefusedBody extends Error {
  readonly status: 400 | 413 | 415;
  constructor(status: 400 | 413 | 415, message: string) {
    super(message);
    this.status = status;
  }
}

export function typeOf(request: IncomingMessage): OtlpType | undefined {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  return type === "application/json" || type === "application/x-protobuf" ? type : undefined;
}

/** Stops reading at the limit, however much is still to come. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return unpackBody(await collectBody(request, limits.wireBytes), codingOf(request), limits);
}

/** What a body is packed in; `identity` when it is not. */
export function codingOf(request: IncomingMessage): "identity" | "gzip" {
  const name = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (name === "identity" || name === "") return "identity";
  if (name === "gzip" || name === "x-gzip") return "gzip";
  throw new RefusedBody(415, `content-encoding ${name} is not read; gzip and identity are`);
}

/**
 * The bytes as they were sent. `take` hears of each piece before it is kept, and throws where there is no room for it.
 *
 * By its events: to iterate over a request and to stop would tear the connection down before it is answered.
 */
export function collectBody(
  request: IncomingMessage,
  most: number,
  take: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > most) return Promise.reject(tooLarge(most));
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isWhole = false;
    request.on("data", (chunk: Buffer) => {
      try {
        size += chunk.length;
        if (size > most) throw tooLarge(most);
        take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        request.pause();
        request.removeAllListeners("data");
        failed(error);
      }
    });
    request.on("end", () => {
      isWhole = true;
      done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on("error", failed);
    request.on("close", () => {
      // Every request closes; an error is dear to make.
      if (!isWhole) failed(new RefusedBody(400, "the body broke off"));
    });
  });
}

/** A body that is small both ways is unpacked at once: to have it done elsewhere takes longer than doing it. */
const AT_ONCE_BYTES = 32 * 1024;
const AT_ONCE_UNPACKED = 1024 * 1024;

/** It stops as soon as more comes out than may: a few kilobytes never become gigabytes. */
export async function unpackBody(
  bytes: Buffer,
  coding: "identity" | "gzip",
  { decodedBytes }: Pick<BodyLimits, "decodedBytes">,
): Promise<Buffer> {
  if (coding === "identity") {
    if (bytes.length > decodedBytes) throw tooLarge(decodedBytes);
    return bytes;
  }
  try {
    if (bytes.length <= AT_ONCE_BYTES) {
      const small = unpackedAtOnce(bytes, Math.min(AT_ONCE_UNPACKED, decodedBytes));
      if (small !== undefined) return small;
    }
    return await promisify(gunzip)(bytes, { maxOutputLength: decodedBytes });
  } catch (error) {
    if (isTooLong(error)) throw tooLarge(decodedBytes);
    throw new RefusedBody(400, "the body is not gzip");
  }
}

function unpackedAtOnce(bytes: Buffer, most: number): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if (isTooLong(error)) return undefined;
    throw error;
  }
}

function isTooLong(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
}

function tooLarge(limit: number): RefusedBody {
  return new RefusedBody(413, `the body has more than ${limit} bytes`);
}

/** In the shape of OTLP JSON, whichever way it came. */
export function decodeBody(bytes: Buffer, type: OtlpType, signal: OtlpSignal, protobuf: OtlpProtobuf): Json {
  const key = otlpLists[signal];
  let document: Json;
  try {
    document = type === "application/json" ? parseJson(bytes.toString("utf8")) : protobuf.decode(bytes, signal);
  } catch {
    throw new RefusedBody(400, `the body is not OTLP in ${type === "application/json" ? "JSON" : "protobuf"}`);
  }
  // An empty request is allowed; one that holds something else is not.
  const list = member(document, key);
  if (
    !isObject(document) ||
    (list !== undefined && !Array.isArray(list)) ||
    (list === undefined && Object.keys(document).length > 0)
  )
    throw new RefusedBody(400, `the body has no list ${key}`);
  return document;
}

export interface Answer {
  readonly status: number;
  readonly body: Uint8Array;
  readonly type: OtlpType;
}

/** Everything was taken; or all but some, which are not to be sent again. The two answers are the same message but for the name of the count in JSON. */
export function acceptedAnswer(
  type: OtlpType,
  rejected: number,
  protobuf: OtlpProtobuf,
  signal: OtlpSignal = "traces",
): Answer {
  const isJson = type === "application/json";
  const count = isJson ? String(rejected) : rejected;
  const [name, why] = REJECTED[signal];
  const value: JsonObject =
    rejected === 0 ? {} : { partialSuccess: { [isJson ? name : "rejectedSpans"]: count, errorMessage: why } };
  return { status: 200, type, body: encode(type, "TracesAnswer", value, protobuf) };
}

const REJECTED = {
  traces: ["rejectedSpans", "spans without ids"],
  logs: ["rejectedLogRecords", "log records that belong to no span, or are no event of it"],
  metrics: [
    "rejectedDataPoints",
    "Spoor keeps no metrics: set OTEL_METRICS_EXPORTER=none, or OTEL_EXPORTER_OTLP_METRICS_ENDPOINT to where they belong",
  ],
} as const;

export function refusedAnswer(type: OtlpType, status: number, message: string, protobuf: OtlpProtobuf): Answer {
  return { status, type, body: encode(type, "Failure", { code: 0, message }, protobuf) };
}

function encode(
  type: OtlpType,
  message: "TracesAnswer" | "Failure",
  value: JsonObject,
  protobuf: OtlpProtobuf,
): Uint8Array {
  return type === "application/json" ? Buffer.from(JSON.stringify(value)) : protobuf.encode(message, value);
}
