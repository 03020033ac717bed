/** Compares what a vector expects with what we got; numbers with a tolerance. */
import type { Json } from "@spoor/core";
import { isObject } from "@spoor/core/internal/trace/json";
import type { Mismatch, Outcome } from "./adapter.ts";

export interface CompareOptions {
  /** Absolute tolerance of numbers; 1e-9 unless the vector says otherwise. */
  readonly absolute?: number;
  readonly relative?: number;
  /** Members of actual objects that the expectation does not name are ignored. */
  readonly partial?: boolean;
}

export function compare(expected: Json | undefined, actual: Json | undefined, options: CompareOptions = {}): Outcome {
  const mismatches: Mismatch[] = [];
  collect(expected, actual, "", options, mismatches);
  return mismatches.length === 0 ? { status: "passed" } : { status: "failed", mismatches };
}

function collect(
  expected: Json | undefined,
  actual: Json | undefined,
  path: string,
  options: CompareOptions,
  into: Mismatch[],
): void {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    for (let index = 0; index < length; index++) {
      collect(expected[index], actual[index], `${path}[${index}]`, options, into);
    }
    return;
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...(options.partial ? [] : Object.keys(actual))]);
    for (const key of keys) {
      collect(own(expected, key), own(actual, key), path === "" ? key : `${path}.${key}`, options, into);
    }
    return;
  }
  if (!sameScalar(expected, actual, options)) into.push({ path, expected, actual });
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function sameScalar(expected: Json | undefined, actual: Json | undefined, options: CompareOptions): boolean {
  if (expected === actual) return true;
  const left = typeof expected === "bigint" ? Number(expected) : expected;
  const right = typeof actual === "bigint" ? Number(actual) : actual;
  if (typeof left !== "number" || typeof right !== "number") return false;
  const { absolute = 1e-9, relative = 0 } = options;
  return Math.abs(left - right) <= absolute + relative * Math.abs(left);
}
