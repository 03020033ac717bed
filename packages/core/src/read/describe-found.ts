import { type Json, stringifyJson } from "../trace/json.ts";

/** A value as it ends a complaint: `the text "75 EUR"`, `3`, `a list`, `nothing`. */
export function describeFound(value: Json | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value !== "string") return stringifyJson(value);
  if (value.trim() === "") return "an empty text";
  return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value)}`;
}
