/**
 * The formats that some content may be in, by the keys of its objects. Asking every recogniser of dozens of formats takes longer than reading
 * a short trace; most of them look for a key that is not there, which one table knows for all.
 */
import { isObject } from "@spoor/core/internal/trace/json";
import type { Format, Sample } from "./format.ts";
import { formats } from "./formats.ts";

/** In the order in which ties are decided. What is left out would not be a candidate (see `Format.marks`). */
export function likelyFormats(sample: Sample): readonly Format[] {
  const { document, lines = [], text, bytes, entries } = sample;
  if ((text ?? bytes ?? entries) !== undefined) return formats;
  table ??= makeTable();
  const { unmarked, tables, byMark } = table;
  const likely = new Set(unmarked);
  for (const value of document === undefined ? lines : [document, ...lines]) {
    // A list may hold anything at any depth.
    if (!isObject(value)) return formats;
    const keys = Object.keys(value);
    for (const key of keys) for (const format of byMark.get(key) ?? []) likely.add(format);
    if (isObject(value[keys[0]!])) for (const format of tables) likely.add(format);
  }
  return formats.filter((format) => likely.has(format));
}

interface Table {
  readonly unmarked: readonly Format[];
  readonly tables: readonly Format[];
  readonly byMark: ReadonlyMap<string, readonly Format[]>;
}

let table: Table | undefined;

function makeTable(): Table {
  const byMark = new Map<string, Format[]>();
  for (const format of formats) {
    for (const mark of format.marks ?? []) {
      const known = byMark.get(mark);
      if (known === undefined) byMark.set(mark, [format]);
      else known.push(format);
    }
  }
  return {
    unmarked: formats.filter(({ marks }) => marks === undefined),
    tables: formats.filter(({ isTable }) => isTable),
    byMark,
  };
}
