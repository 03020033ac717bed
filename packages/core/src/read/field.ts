/** A member of a mapping: its shape, what it is for, and what stands in when it is absent. */
import { json } from "./scalars.ts";
import type { Field, FieldOptions, Shape } from "./shape.ts";

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
