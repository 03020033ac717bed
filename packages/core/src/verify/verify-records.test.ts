import { describe, expect, it } from "vitest";
import { recordsOf } from "../../test/build.ts";
import { contentId } from "../canonical/digest.ts";
import type { TraceRecord } from "../trace/record.ts";
import { createRecordVerifier, type VerifyCode } from "./verify-records.ts";

/** A whole log: ids of the payloads, each record's parent the one before it, one second apart. */
function logOf(): TraceRecord[] {
  let parent: string | null = null;
  return recordsOf([{ user: "hi", text: "hello" }, { calls: [{ name: "search", output: "found" }] }]).map(
    (record, index) => {
      const id = contentId(record.payload);
      const whole = { ...record, version: "0.1", id, parent, ts: `2026-01-01T00:00:0${index}.000Z` };
      parent = id;
      return whole;
    },
  );
}

function verify(records: readonly TraceRecord[]): [VerifyCode, number][] {
  const verifier = createRecordVerifier();
  records.forEach((record, index) => {
    verifier.add(record, index + 1);
  });
  return verifier.findings().map(({ code, line }) => [code, line]);
}

describe("an agent log", () => {
  it("is whole", () => {
    expect(verify(logOf())).toEqual([]);
  });

  const change = (at: number, edit: Partial<TraceRecord>) =>
    logOf().map((record, index) => (index === at ? { ...record, ...edit } : record));
  it.each<{ name: string; records: TraceRecord[]; expected: [VerifyCode, number][] }>([
    {
      name: "an edited payload",
      records: change(2, { payload: { content: "other" } }),
      expected: [["id_mismatch", 3]],
    },
    {
      name: "an edited id",
      records: change(2, { id: `sha256:${"0".repeat(64)}` }),
      expected: [
        ["id_mismatch", 3],
        ["parent_unknown", 4],
      ],
    },
    {
      name: "an id of another kind",
      records: change(2, { id: "abc" }),
      expected: [
        ["id_malformed", 3],
        ["parent_unknown", 4],
      ],
    },
    { name: "a removed record", records: logOf().toSpliced(2, 1), expected: [["parent_unknown", 3]] },
    {
      name: "a missing beginning",
      records: logOf().slice(1),
      expected: [
        ["first_not_metadata", 1],
        ["first_has_parent", 1],
      ],
    },
    {
      name: "a clock that runs backwards",
      records: change(3, { ts: "2025-01-01T00:00:00.000Z" }),
      expected: [["time_backwards", 4]],
    },
    { name: "a time that is none", records: change(3, { ts: "yesterday" }), expected: [["time_malformed", 4]] },
    { name: "a kind nobody knows", records: change(4, { kind: "thought" }), expected: [["kind_unknown", 5]] },
  ])("shows $name", ({ records, expected }) => {
    expect(verify(records)).toEqual(expected);
  });

  it("finds two records that changed places", () => {
    const records = logOf();
    const swapped = [records[0]!, records[2]!, records[1]!, ...records.slice(3)];
    expect(verify(swapped).map(([code]) => code)).toEqual(expect.arrayContaining(["parent_unknown", "time_backwards"]));
  });

  it("says nothing about times that were not recorded", () => {
    expect(verify(logOf().map((record) => ({ ...record, ts: "" })))).toEqual([]);
  });
});
