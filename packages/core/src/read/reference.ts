/** The rows of a reference page, from the definition that also reads the file. */

import { type Fields, keyOf } from "./mapping.ts";
import type { Field, Inner, MappingOptions } from "./shape.ts";

export interface ReferenceRow {
  /** The key with its other spellings. */
  readonly keys: readonly string[];
  readonly type: string;
  /** "required", or the default as JSON, or nothing. */
  readonly need: string;
  readonly help: string;
}

export interface ReferenceSection {
  /** The key whose mapping it is: `diff`, or `overrides[]` for the entries of a list. */
  readonly key: string;
  readonly help: string;
  readonly rows: readonly ReferenceRow[];
}

/** The keys of the mappings inside a mapping, except those that its own table says in full. */
export function referenceSections({ fields, options }: Inner): ReferenceSection[] {
  return Object.entries(fields).flatMap(([name, field]): ReferenceSection[] => {
    const { shape, help, ignored } = field;
    const { inner } = shape;
    if (inner === undefined || ignored !== undefined || shape.type.startsWith("`{")) return [];
    const key = `${keyOf(name, field, options)}${shape.kinds.includes("list") ? "[]" : ""}`;
    return [{ key, help, rows: referenceRows(inner.fields, inner.options) }];
  });
}

/** One row per key that has an effect. */
export function referenceRows(fields: Fields, options: MappingOptions = {}): ReferenceRow[] {
  return Object.entries(fields).flatMap(([name, field]): ReferenceRow[] => {
    if (field.ignored !== undefined) return [];
    const { alias = [] } = field.options;
    const keys = [keyOf(name, field, options), ...(typeof alias === "string" ? [alias] : alias)];
    return [{ keys, type: field.shape.type, need: needOf(field), help: field.help }];
  });
}

function needOf({ required, fallback }: Field<unknown>): string {
  if (required) return "required";
  return fallback === undefined ? "" : JSON.stringify(fallback);
}
