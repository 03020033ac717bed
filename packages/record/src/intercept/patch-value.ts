/**
 * A value of a program with the changes of its JSON: the texts that differ are exchanged, everything else stays the object it is.
 * Only lists and plain objects can be written anew; undefined where a change is inside something else, or where it cannot be told.
 */
import { isObject, type Json, jsonEqual, member } from "@spoor/core/internal/trace/json";
import { isRoot } from "./snapshot.ts";

export interface Patched {
  readonly value: unknown;
}

export function patchValue(original: unknown, before: Json, after: Json): Patched | undefined {
  if (jsonEqual(before, after)) return { value: original };
  if (typeof original === "string") return typeof after === "string" ? { value: after } : undefined;
  if (Array.isArray(original)) {
    if (!Array.isArray(before) || !Array.isArray(after) || after.length !== original.length) return undefined;
    const items = original.map((item: unknown, index) => patchValue(item, before[index]!, after[index]!));
    return items.includes(undefined) ? undefined : { value: items.map((item) => item!.value) };
  }
  if (typeof original !== "object" || original === null || !isObject(before) || !isObject(after)) return undefined;
  if (!isRoot(Object.getPrototypeOf(original) as object | null)) return undefined;
  const copy: Record<string, unknown> = { ...original };
  for (const key of Object.keys(after)) {
    const patched = patchValue(copy[key], member(before, key) ?? null, after[key]!);
    if (patched === undefined) return undefined;
    copy[key] = patched.value;
  }
  return { value: copy };
}

/** Arguments of a function with one of them changed. */
export function patchArgument(
  args: readonly unknown[],
  index: number,
  before: Json,
  after: Json,
): unknown[] | undefined {
  const patched = patchValue(args[index], before, after);
  return patched === undefined ? undefined : args.map((arg, at) => (at === index ? patched.value : arg));
}
