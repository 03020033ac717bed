/** Small words for messages. */
import { type Json, stringifyJson } from "../trace/json.ts";

/** A value as short JSON, cut so that a message stays a line. */
export function shortJson(value: Json | undefined, length = 60): string {
  const text = value === undefined ? "nothing" : stringifyJson(value);
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** `1 call`, `2 calls` */
export function countOf(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** `a`, `a or b`, `a, b or c` */
export function listOf(items: readonly string[], joiner: "and" | "or" = "and"): string {
  if (items.length <= 1) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${joiner} ${items[items.length - 1]}`;
}
