/** Small things that several aggregates need to go between rows and the shapes of the contract. */
import type { Json } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";

/** Text that `stringifyJson` wrote: its depth was checked when it came in. */
export function readJson(text: string): Json {
  return parseJson(text, Number.POSITIVE_INFINITY);
}

/** Half a surrogate pair is no character, and no reader of JSON takes it: it becomes U+FFFD here as in any other text. */
export function writeJson(value: Json): string {
  const text = stringifyJson(value);
  // The writer escapes halves only; escapes are taken one by one, so that an escaped backslash before a "u" is not mistaken for one.
  return text.includes("\\ud")
    ? text.replace(/\\(?:(ud[0-9a-f]{3})|.)/g, (written, half) => (half ? "\\ufffd" : written))
    : text;
}

/** `{ key: value }` when there is a value, nothing otherwise: absent is never null in the contract. */
export function given<Key extends string, Value>(
  key: Key,
  value: Value | null | undefined,
): { readonly [K in Key]?: Value } {
  return (value === null || value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Both engines bind at least this many values to a statement. */
const MOST_VALUES = 30_000;

/** Rows in as many statements as their values need. */
export async function inChunks<Row extends object>(
  rows: readonly Row[],
  insert: (chunk: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  const size = Math.max(1, Math.floor(MOST_VALUES / Math.max(1, Object.keys(rows[0] ?? {}).length)));
  for (let at = 0; at < rows.length; at += size) await insert(rows.slice(at, at + size));
}

/** The year and the month of a time, as 202611: the partition its body lies in. */
export function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function groupBy<Item, Key>(items: Iterable<Item>, keyOfItem: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOfItem(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
