import { describe, expect, it } from "vitest";
import { buildTrace } from "../../trace/build-trace.ts";
import type { Json } from "../../trace/json.ts";
import { diffBlobs } from "./blobs.ts";

describe("attachments", () => {
  const blobs = (...payloads: Record<string, Json>[]) =>
    buildTrace(payloads.map((payload) => ({ kind: "blob_ref", payload })));
  const hash = (hex: string) => ({ blob_id: `sha256:${hex}`, phash: { algo: "dhash", hex } });

  it.each([
    { name: "the same", before: [{ blob_id: "a" }], after: [{ blob_id: "a" }], expected: [] },
    { name: "missing", before: [{ blob_id: "a" }], after: [], expected: [{ severity: "severe", by: "missing" }] },
    { name: "near by hash", before: [hash("ff")], after: [hash("0f")], expected: [] },
    {
      name: "16 bits off",
      before: [hash("ffff")],
      after: [hash("0000")],
      expected: [{ severity: "minor", measure: 16 }],
    },
    {
      name: "17 bits off",
      before: [hash("1ffff")],
      after: [hash("00000")],
      expected: [{ severity: "moderate", measure: 17 }],
    },
    {
      name: "unknown",
      before: [{ blob_id: "a" }],
      after: [{ blob_id: "b" }],
      expected: [{ severity: "moderate", by: "content" }],
    },
  ])("$name", ({ before, after, expected }) => {
    expect(diffBlobs(blobs(...before), blobs(...after))).toMatchObject(expected);
  });

  it("embeddings of one model by their cosine", () => {
    const embedded = (id: string, vec: number[]) => ({ blob_id: id, embedding: { model: "m", vec } });
    expect(diffBlobs(blobs(embedded("a", [1, 0])), blobs(embedded("b", [1, 0.1])))).toEqual([]);
    expect(diffBlobs(blobs(embedded("a", [1, 0])), blobs(embedded("b", [0, 1])))).toMatchObject([
      { severity: "severe", measure: 0 },
    ]);
  });
});
