/**
 * What a shape is: one definition of a piece of a hand-written file. It reads the piece and reports every problem with its
 * place; it describes the piece as JSON Schema, for editors; and it names it, for messages and reference pages.
 */
import type { JsonObject } from "../trace/json.ts";
import type { Definitions } from "./definitions.ts";
import type { Located } from "./located.ts";

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

export interface FieldOptions {
  /** The key in the file, where it is not the member's name in the mapping's spelling. */
  readonly key?: string;
  /** Other spellings that are accepted: older ones, or those of another tool. */
  readonly alias?: string | readonly string[];
  /** What a file without this key would do, for whoever misspelt it: "the rule would apply everywhere". */
  readonly without?: string;
  /** Nothing after the key is a mistake even in a mapping where it usually counts as absent. */
  readonly emptyIsWrong?: true;
  /** Still read, but on its way out: what to write instead. */
  readonly deprecated?: string;
}

export type Need = "required" | "preset" | "optional";

export interface Field<T, N extends Need = Need, Written = unknown> {
  readonly shape: Shape<T, Written>;
  readonly help: string;
  readonly required: boolean;
  readonly fallback?: T;
  /** Accepted and not looked at, and why: said as a note. */
  readonly ignored?: string;
  readonly options: FieldOptions;
  /** Only for the type: who may leave the member out, the file or also what is read. */
  readonly need?: N;
}

export interface MappingOptions {
  /** How member names are spelt as keys: `require_first` (the default) or as they are. */
  readonly keys?: "snake_case" | "camelCase";
  /** Accept `requireFirst` where `require_first` is the key. */
  readonly alsoCamelCase?: true;
  /** A key with nothing after it counts as absent. */
  readonly emptyIsAbsent?: true;
  /** How messages call this one, where `title` is too general: `rule confirm-before-refund`. */
  readonly titleOf?: (value: JsonObject) => string;
  /** Groups of members of which exactly one must be given. */
  readonly exactlyOne?: readonly (readonly string[])[];
  /** Groups of members of which at least one must be given. */
  readonly atLeastOne?: readonly (readonly string[])[];
  /** Keys that nobody knows are left alone: others write into the file too. */
  readonly open?: true;
  /** Keys that begin with `_` are remarks. */
  readonly remarks?: true;
  /** Keys that begin with `x-` hold what aliases refer to. */
  readonly extensions?: true;
  /** What is said about a key that nobody knows, where that is more than the nearest spelling. */
  readonly onUnknownKey?: (key: string) => string | undefined;
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
