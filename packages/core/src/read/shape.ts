/**
 * What a shape is: one definition of a piece of a hand-written file. It reads the piece and reports every problem with its
 * place; it describes the piece as JSON Schema, for editors; and it names it, for messages and reference pages.
 */
import type { JsonObject } from "../trace/json.ts";
import type { Definitions } from "./definitions.ts";
import type { Field } from "./field.ts";
import type { Located } from "./located.ts";
import type { MappingOptions } from "./mapping.ts";

export type ValueKind = "text" | "number" | "boolean" | "list" | "mapping" | "null";

export interface Shape<T, Written = unknown> {
  /** Only for the type: what people may write, where that is more than what is read. */
  readonly written?: Written;
  /** The end of "limit must be …": "a whole number from 0 on". */
  readonly wants: string;
  /** The cell of a reference page: "whole number". */
  readonly type: string;
  /** The kinds of value that can fit at all; `oneOf` chooses by them. */
  readonly kinds: readonly ValueKind[];
  /** The value, or undefined when something was wrong with it and has been reported. */
  read(at: Located): T | undefined;
  schema(definitions: Definitions): JsonObject;
  /** The mapping inside, whose keys a reference page lists. */
  readonly inner?: Inner;
}

export interface Inner {
  readonly fields: Readonly<Record<string, Field<unknown>>>;
  readonly options: MappingOptions;
}

/** The type that a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never;

export function kindOf(value: unknown): ValueKind {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "text";
    case "boolean":
      return "boolean";
    case "object":
      return "mapping";
    default:
      return "number";
  }
}
