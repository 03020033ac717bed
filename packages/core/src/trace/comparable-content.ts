/**
 * Recordings that were made blind beside others. A value that was removed says only whether it is equal to another under the same
 * key; beside a value that was kept it says nothing, and calling the two different would be an invention.
 */
import { SpoorError } from "../errors.ts";
import { buildTrace } from "./build-trace.ts";
import { isObject, type Json } from "./json.ts";
import { withoutHash } from "./removed-value.ts";
import type { Trace } from "./trace.ts";

/** The traces as they may be compared. Under different keys, values are equal unknowns: names, order and counts are left. */
export function comparableContent(traces: readonly Trace[]): readonly Trace[] {
  const contents = contentsOf(traces);
  requireOneContent(contents);
  const [key] = contents;
  const canCompareValues = key === FULL || (contents.size === 1 && key !== "");
  return canCompareValues || contents.size === 0 ? traces : traces.map(withoutHashes);
}

const FULL = "full";

/** `full`, and the keys of blind recordings. */
function contentsOf(traces: readonly Trace[]): Set<string> {
  return new Set(traces.map(contentOf));
}

export function contentOf({ recording }: Trace): string {
  return recording?.blind ?? FULL;
}

/** A blind recording cannot be compared with one that kept what was said. */
export function requireOneContent(contents: ReadonlySet<string>): void {
  if (!contents.has(FULL) || contents.size === 1) return;
  throw new SpoorError("trace.content", "Some of the runs were recorded blind, and some with what was said.", {
    consequence: "What one side did not keep cannot be compared, so nothing was.",
    hint: "Record both sides alike: spoor record --content full, or both blind under one SPOOR_HASH_KEY.",
  });
}

function withoutHashes(trace: Trace): Trace {
  const records = trace.records.map((record) => ({ ...record, payload: strip(record.payload) }));
  return buildTrace(records, { source: trace.source });
}

function strip(value: Json): Json {
  if (typeof value === "string") return withoutHash(value);
  if (Array.isArray(value)) return value.map(strip);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, strip(value[key]!)]));
}
