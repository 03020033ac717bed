/**
 * A log record that is an event of a span waits beside the spans of its trace. It has no id: the same record in the same place of a request that is sent
 * again is the same one, and the order in which records were written is the order of their keys.
 */
import type { Json } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { member } from "@spoor/core/internal/trace/json";
import type { StoredSpan } from "../store/store.ts";

/** No id of a span begins so: those are hexadecimal. */
const PREFIX = "log:";

export function storedLog(traceId: string, log: Json, resource: Json, scope: Json, place: number): StoredSpan {
  const nanos = [member(log, "timeUnixNano"), member(log, "observedTimeUnixNano")].map((time) => String(time ?? "0"));
  const time = nanos.find((text) => /^[1-9]\d{0,19}$/.test(text)) ?? "0";
  const key = `${time.padStart(20, "0")}:${String(place).padStart(6, "0")}:${digestText(canonicalJson(log))}`;
  return { traceId, spanId: `${PREFIX}${key}`, resource, scope, span: log };
}

export function isLog({ spanId }: StoredSpan): boolean {
  return spanId.startsWith(PREFIX);
}
