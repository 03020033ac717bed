/**
 * The body of a run, as it is kept and exported: an agent log whose requests say only what they add, packed with gzip. What the reader of the
 * original said beside the records (its format, what it did not understand, what the file lacked) is kept apart: it belongs to every report.
 */
import { gunzipSync, gzipSync } from "node:zlib";
import type { Json, Trace, TraceSource } from "@spoor/core";
import { packRequests } from "@spoor/core/internal/canonical/pack-requests";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { expandRequests } from "@spoor/core/internal/trace/expand-requests";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import type { Codec } from "../store/store.ts";

export interface StoredBody {
  readonly codec: Codec;
  readonly bytes: Uint8Array;
}

/** A body as it came: what was sent, and what that is when it is unpacked. */
export interface SentBody extends StoredBody {
  readonly decoded: Buffer;
}

/** Two thirds of the time of the usual level, for a twentieth more bytes. */
const LEVEL = 4;

/** A recording that was sent just as it is kept, which is what our own recorder writes, is kept as it was sent. */
export function packBody(records: readonly TraceRecord[], sent?: SentBody): StoredBody {
  const text = Buffer.from(writeAgentlog(packRequests(records)), "utf8");
  if (sent !== undefined && isWellPacked(sent) && text.equals(sent.decoded))
    return { codec: "gzip", bytes: sent.bytes };
  return { codec: "gzip", bytes: gzipSync(text, { level: LEVEL }) };
}

/** In its head a gzip may name a file of whoever packed it, and it may be packed in name only. */
function isWellPacked({ codec, bytes, decoded }: SentBody): boolean {
  return codec === "gzip" && bytes[3] === 0 && bytes.length * 2 <= decoded.length;
}

/** The text of the log. */
export function unpackBody({ codec, bytes }: StoredBody): string {
  return (codec === "gzip" ? gunzipSync(bytes) : Buffer.from(bytes)).toString("utf8");
}

/** The trace as it was read when it arrived. */
export function traceOfBody(body: StoredBody, kept: KeptSource): Trace {
  const lines = unpackBody(body).split("\n");
  const records = lines.filter((line) => line !== "").map((line) => parseJson(line) as unknown as TraceRecord);
  const trace = buildTrace(expandRequests(records), { source: kept.source });
  const { agent, scenario, name } = kept;
  return { ...trace, ...present({ agent, scenario, name }) };
}

/** What a trace is beside its records, as JSON. */
export interface KeptSource {
  readonly source: TraceSource;
  readonly agent?: string;
  readonly scenario?: string;
  readonly name: string;
}

export function keptSource({ source, agent, scenario, name }: Trace): KeptSource {
  return present({ source, name, agent, scenario });
}

export function keptSourceOf(json: Json): KeptSource {
  return json as unknown as KeptSource;
}
