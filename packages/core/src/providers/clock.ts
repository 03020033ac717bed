/** A moment as sources write it, in one shape: RFC 3339 UTC for records, and milliseconds to compute durations. */
import type { Json } from "../trace/json.ts";

export interface Clock {
  readonly iso: string;
  /** Milliseconds since 1970; sub-millisecond digits are kept, because tools often run that fast. */
  readonly ms: number;
}

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,12}))?(Z|[+-]\d{2}:?\d{2})?$/i;

/** An ISO 8601 text (read as UTC when it names no zone) or a number of milliseconds; anything else is no clock. */
export function parseClock(value: Json | undefined): Clock | undefined {
  if (typeof value === "string") return parseIso(value);
  if (typeof value === "number") return clockOfMs(value);
  return undefined;
}

/** A number of seconds since 1970. */
export function clockOfSeconds(value: Json | undefined): Clock | undefined {
  return typeof value === "number" ? clockOfMs(value * 1000) : undefined;
}

/** False for a text like `2026-02-17T22:54:56`, whose zone nobody knows. */
export function namesZone(value: Json | undefined): boolean {
  return typeof value !== "string" || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value);
}

/** What most logs write: UTC to the millisecond, and a day that every month has. */
const PLAIN = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\d\.\d{3}Z$/;

function parseIso(text: string): Clock | undefined {
  if (PLAIN.test(text)) {
    const ms = Date.parse(text);
    return Number.isNaN(ms) ? undefined : { iso: text, ms };
  }
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = "", zone = "Z"] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const whole = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(whole) ? undefined : clockOfMs(whole + (fraction === "" ? 0 : Number(`0.${fraction}`) * 1000));
}

/** A number of milliseconds since 1970. */
export function clockOfMs(ms: number): Clock | undefined {
  // The years 0001 to 9999: outside, a date has no four-digit form.
  if (!Number.isFinite(ms) || ms < -62_135_596_800_000 || ms > 253_402_300_799_999) return undefined;
  return { iso: new Date(Math.floor(ms)).toISOString(), ms };
}
