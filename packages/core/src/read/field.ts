/** A member of a mapping: its shape, what it is for, and what stands in when it is absent. */
import { json } from "./scalars.ts";
import type { Shape } from "./shape.ts";

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

export function required<T, W>(shape: Shape<T, W>, help: string, options: FieldOptions = {}): Field<T, "required", W> {
  return { shape, help, required: true, options };
}

export function optional<T, W>(shape: Shape<T, W>, help: string, options: FieldOptions = {}): Field<T, "optional", W> {
  return { shape, help, required: false, options };
}

/** An optional member that always has a value. */
export function preset<T, W>(
  shape: Shape<T, W>,
  fallback: T,
  help: string,
  options: FieldOptions = {},
): Field<T, "preset", W> {
  return { shape, help, required: false, fallback, options };
}

/** A key that some release or some other tool knows and that has no effect here. */
export function ignored(why: string, options: FieldOptions = {}): Field<never, "optional", never> {
  return { shape: json as Shape<never, never>, help: `not used: ${why}`, required: false, ignored: why, options };
}
