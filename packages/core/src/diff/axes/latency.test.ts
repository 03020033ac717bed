import { expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";
import { gateDiff } from "../gate-diff.ts";

const timed = (ms: number) => traceOf(Array.from({ length: 8 }, () => ({ text: "Done.", latencyMs: ms })));

it("better never trips, worse does", () => {
  const faster = diffTraces(timed(1000), timed(500));
  const slower = diffTraces(timed(500), timed(1000));
  expect(faster.rows.find((row) => row.axis === "latency")).toMatchObject({
    severity: "severe",
    direction: "better",
  });
  expect(gateDiff(faster, "minor").tripped).toBe(false);
  expect(gateDiff(slower, "severe").reasons).toEqual([{ code: "axis", subject: "latency", severity: "severe" }]);
  expect(slower.verdict).toEqual({ code: "average_moved", axis: "latency", baseline: 500, candidate: 1000 });
});
