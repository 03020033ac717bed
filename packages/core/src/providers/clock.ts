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
  return typeof value !== "string" || value.endsWith("Z") || /(?:z|[+-]\d{2}:?\d{2})$/.test(value);
}

function parseIso(text: string): Clock | undefined {
  const plain = plainMs(text);
  if (plain !== undefined) return { iso: text, ms: plain };
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

/**
 * What most logs write, `2026-02-17T22:54:56.312Z` with a day that every month has: read digit by digit, in half the time that a
 * pattern and `Date.parse` take. Anything else, also what only looks like it, is undefined.
 */
function plainMs(text: string): number | undefined {
  if (text.length !== 24 || text.charCodeAt(10) !== 0x54 || text.charCodeAt(23) !== 0x5a) return undefined;
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d || text.charCodeAt(19) !== 0x2e) return undefined;
  if (text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) return undefined;
  const century = twoDigits(text, 0);
  const year = century * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const milliseconds = twoDigits(text, 20) * 10 + digit(text, 22);
  // A comparison with NaN is false, so that no digit may be anything else. `Date.UTC` takes the first hundred years for 19xx.
  const isPlain = century >= 1 && year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!isPlain || !(hour <= 23 && minute <= 59 && second <= 59 && milliseconds >= 0)) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
}

function twoDigits(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
