import type { Json } from "../trace/json.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A date to the day, as `2025-01-15`: ISO 8601, DD-MMM-YYYY, MM/DD/YYYY, or DD/MM/YYYY where the first number cannot be a
 * month. The day is the one that is written; no time zone moves it. Undefined for anything else.
 */
export function parseDay(value: Json): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text);
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const named = /^(\d{1,2})[- ]([a-z]{3})[a-z]*[- ](\d{4})$/i.exec(text);
  if (named) return day(Number(named[3]), MONTHS.indexOf(named[2]!.toLowerCase()) + 1, Number(named[1]));
  const slashes = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!slashes) return undefined;
  const first = Number(slashes[1]);
  const second = Number(slashes[2]);
  const year = Number(slashes[3]);
  return first > 12 ? day(year, second, first) : day(year, first, second);
}

function day(year: number, month: number, date: number): string | undefined {
  const time = new Date(Date.UTC(year, month - 1, date));
  if (month < 1 || month > 12 || time.getUTCMonth() !== month - 1 || time.getUTCDate() !== date) return undefined;
  return time.toISOString().slice(0, 10);
}
