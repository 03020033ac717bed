/** Attachments, paired by position: the same content, or how far apart by embedding or perceptual hash. */
import type { Severity } from "../../judgement/severity.ts";
import { isObject, type Json, member, stringMember } from "../../trace/json.ts";
import type { Trace } from "../../trace/trace.ts";

export interface BlobChange {
  readonly position: number;
  readonly severity: Severity;
  readonly by: "missing" | "embedding" | "perceptual_hash" | "content";
  readonly baselineId?: string;
  readonly candidateId?: string;
  /** Cosine similarity, or differing bits of the hash. */
  readonly measure?: number;
}

/** Only what changed. */
export function diffBlobs(baseline: Trace, candidate: Trace): BlobChange[] {
  const before = blobsOf(baseline);
  const after = blobsOf(candidate);
  const changes: BlobChange[] = [];
  for (let position = 0; position < Math.max(before.length, after.length); position++) {
    const change = compare(before[position], after[position]);
    if (change.severity === "none") continue;
    const baselineId = stringMember(before[position], "blob_id");
    const candidateId = stringMember(after[position], "blob_id");
    changes.push({
      position,
      ...change,
      ...(baselineId === undefined ? {} : { baselineId }),
      ...(candidateId === undefined ? {} : { candidateId }),
    });
  }
  return changes;
}

function blobsOf(trace: Trace): Json[] {
  return trace.records.filter((record) => record.kind === "blob_ref").map((record) => record.payload);
}

function compare(before: Json | undefined, after: Json | undefined): Pick<BlobChange, "severity" | "by" | "measure"> {
  if (before === undefined || after === undefined) return { severity: "severe", by: "missing" };
  const id = stringMember(before, "blob_id");
  if (id !== undefined && id === stringMember(after, "blob_id")) return { severity: "none", by: "content" };
  const cosine = embeddingCosine(member(before, "embedding"), member(after, "embedding"));
  if (cosine !== undefined) {
    const severity = cosine >= 0.85 ? "none" : cosine >= 0.75 ? "minor" : cosine >= 0.5 ? "moderate" : "severe";
    return { severity, by: "embedding", measure: cosine };
  }
  const bits = hashDistance(member(before, "phash"), member(after, "phash"));
  if (bits !== undefined) {
    return { severity: bits <= 10 ? "none" : bits <= 16 ? "minor" : "moderate", by: "perceptual_hash", measure: bits };
  }
  return { severity: "moderate", by: "content" };
}

/** Only vectors of one model can be compared. */
function embeddingCosine(left: Json | undefined, right: Json | undefined): number | undefined {
  if (!isObject(left) || !isObject(right)) return undefined;
  if (stringMember(left, "model") !== stringMember(right, "model")) return undefined;
  const one = numbersOf(member(left, "vec"));
  const other = numbersOf(member(right, "vec"));
  if (one === undefined || other === undefined || one.length !== other.length || one.length === 0) return undefined;
  let dot = 0;
  let oneLength = 0;
  let otherLength = 0;
  for (let index = 0; index < one.length; index++) {
    dot += one[index]! * other[index]!;
    oneLength += one[index]! ** 2;
    otherLength += other[index]! ** 2;
  }
  return oneLength === 0 || otherLength === 0 ? undefined : dot / Math.sqrt(oneLength * otherLength);
}

function numbersOf(value: Json | undefined): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((item) => typeof item === "number") ? (value as number[]) : undefined;
}

/** Differing bits of two 64-bit hashes of one algorithm. */
function hashDistance(left: Json | undefined, right: Json | undefined): number | undefined {
  if (stringMember(left, "algo") !== stringMember(right, "algo")) return undefined;
  const one = stringMember(left, "hex");
  const other = stringMember(right, "hex");
  if (!one || !other || !/^[0-9a-f]{1,16}$/i.test(one) || !/^[0-9a-f]{1,16}$/i.test(other)) return undefined;
  let difference = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let bits = 0;
  for (; difference > 0n; difference >>= 1n) if (difference & 1n) bits++;
  return bits;
}
