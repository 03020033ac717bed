import { describe, expect, it } from "vitest";
import { recordsOf } from "../../test/build.ts";
import { diffTraces } from "../diff/diff-traces.ts";
import { createRecordBlinder } from "../fingerprint/blind-record.ts";
import { buildTrace } from "./build-trace.ts";
import type { Trace } from "./trace.ts";

const run = (amount: number, tool = "refund", key?: string): Trace => {
  const records = recordsOf([
    { user: "hi", text: "I look." },
    { calls: [{ name: tool, input: { amount } }] },
    { text: "Done." },
  ]);
  if (key === undefined) return buildTrace(records);
  const blind = createRecordBlinder(key);
  const all = [{ kind: "metadata", payload: {}, meta: {} }, ...records.filter(({ kind }) => kind !== "metadata")];
  return buildTrace(all.map((record) => ({ ...record, ...blind(record.kind, record.payload, record.meta ?? {}) })));
};
const changed = (left: Trace, right: Trace) => diffTraces(left, right).structure.changed;

describe("runs that were recorded blind", () => {
  it("are compared value by value under one key", () => {
    expect(changed(run(40, "refund", "k"), run(40, "refund", "k"))).toBe(0);
    expect(changed(run(40, "refund", "k"), run(89, "refund", "k"))).toBe(1);
  });

  it("are compared by names alone under two", () => {
    expect(changed(run(40, "refund", "k"), run(40, "refund", "other"))).toBe(0);
    expect(changed(run(40, "refund", "k"), run(40, "cancel", "other"))).toBe(1);
  });

  it("are not compared with runs that kept what was said", () => {
    expect(() => diffTraces(run(40), run(40, "refund", "k"))).toThrow(/recorded blind/);
    expect(() => diffTraces(run(40, "refund", "k"), run(40))).toThrow(/recorded blind/);
  });

  it("leave no number where nothing was said", () => {
    const rows = diffTraces(run(1, "refund", "k"), run(1, "refund", "k")).rows;
    const empty = rows
      .filter(({ flags }) => flags.includes("not_recorded"))
      .map(({ axis, measured }) => [axis, measured]);
    expect(empty).toEqual([
      ["semantic", 0],
      ["safety", 0],
      ["conformance", 0],
    ]);
  });
});
