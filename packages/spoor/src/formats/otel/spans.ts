/**
 * The one span all OpenTelemetry readers produce, whatever the wire: OTLP JSON, OTLP protobuf, Jaeger, Tempo.
 * Attributes are plain values under their dotted names; clocks are nanoseconds, exact.
 */
import type { Json } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  readonly start?: bigint;
  readonly end?: bigint;
  readonly attributes: ReadonlyMap<string, Json>;
  readonly events: readonly SpanEvent[];
  /** `isOk` only when the instrumentation said so; most leave the status unset. */
  readonly status: { readonly isError: boolean; readonly isOk: boolean; readonly message?: string };
  readonly resource: ReadonlyMap<string, Json>;
  /** Name of the instrumentation that made it. */
  readonly scope?: string;
}

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer" | "unspecified";

export interface SpanEvent {
  readonly name: string;
  readonly at?: bigint;
  readonly attributes: ReadonlyMap<string, Json>;
}

const KINDS: readonly SpanKind[] = ["unspecified", "internal", "server", "client", "producer", "consumer"];

/** A kind as number (1 to 5), as `SPAN_KIND_CLIENT` or as `client`. */
export function parseSpanKind(value: Json | undefined): SpanKind {
  if (typeof value === "number") return KINDS[value] ?? "unspecified";
  if (typeof value !== "string") return "unspecified";
  const name = value.toLowerCase().replace(/^span_kind_/, "") as SpanKind;
  return KINDS.includes(name) ? name : "unspecified";
}

/** Nanoseconds as text, number or bigint; 0 and everything else is no clock. */
export function parseNanos(value: Json | undefined): bigint | undefined {
  let nanos: bigint | undefined;
  if (typeof value === "bigint") nanos = value;
  else if (typeof value === "number" && Number.isFinite(value)) nanos = BigInt(Math.round(value));
  else if (typeof value === "string" && /^[0-9]{1,20}$/.test(value)) nanos = BigInt(value);
  return nanos !== undefined && nanos > 0n ? nanos : undefined;
}

/** OTLP's list of `{key, value: AnyValue}`. */
export function parseAttributes(list: Json | undefined): Map<string, Json> {
  const attributes = new Map<string, Json>();
  if (!Array.isArray(list)) return attributes;
  for (const item of list) {
    const key = stringMember(item, "key");
    if (key !== undefined) attributes.set(key, parseAnyValue(member(item, "value")));
  }
  return attributes;
}

/** An `AnyValue`: exactly one of its members is set. 64-bit integers arrive as text. */
export function parseAnyValue(value: Json | undefined): Json {
  if (!isObject(value)) return value ?? null;
  const text = member(value, "stringValue");
  if (text !== undefined) return text;
  const integer = member(value, "intValue");
  if (integer !== undefined) return parseInteger(integer);
  const double = member(value, "doubleValue");
  if (double !== undefined) return double;
  const boolean = member(value, "boolValue");
  if (boolean !== undefined) return boolean;
  const array = member(value, "arrayValue");
  if (array !== undefined) {
    const values = member(array, "values");
    return Array.isArray(values) ? values.map(parseAnyValue) : [];
  }
  const pairs = member(value, "kvlistValue");
  if (pairs !== undefined) return Object.fromEntries(parseAttributes(member(pairs, "values")));
  return member(value, "bytesValue") ?? null;
}

function parseInteger(value: Json): Json {
  if (typeof value !== "string" || !/^-?[0-9]{1,20}$/.test(value)) return value;
  const exact = BigInt(value);
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

/** Ids are hex in OTLP JSON, base64 in some exports of it; both become lower-case hex. */
export function parseId(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  if (isLowerHex(value)) return value;
  if (/^[0-9a-fA-F]+$/.test(value)) return /^0+$/.test(value) ? undefined : value.toLowerCase();
  if (!/^[A-Za-z0-9+/]{11}=$|^[A-Za-z0-9+/]{22}==$/.test(value)) return value;
  return hexOf(Uint8Array.from(atobBytes(value)));
}

/** As nearly every id is written: digit by digit this takes a fraction of what the patterns do. Not one of nothing but zeros. */
function isLowerHex(text: string): boolean {
  let isZero = true;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return false;
    if (code !== 0x30) isZero = false;
  }
  return !isZero;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function atobBytes(text: string): number[] {
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const char of text.replace(/=+$/, "")) {
    buffer = (buffer << 6) | BASE64.indexOf(char);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((buffer >> bits) & 0xff);
  }
  return bytes;
}
