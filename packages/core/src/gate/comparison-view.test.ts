import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { buildDiffReport } from "../diff/build-diff-report.ts";
import type { DiffReport } from "../diff/diff-report.ts";
import { withResults } from "../diff/timeline-results.ts";
import { buildComparisonView } from "./comparison-view.ts";

function viewOf(before: string, after: string) {
  const [baseline, candidate] = [before, after].map((output) =>
    traceOf([{ user: "where is it?", calls: [{ name: "lookup", input: { id: 1 }, output }] }, { text: "there" }]),
  ) as [ReturnType<typeof traceOf>, ReturnType<typeof traceOf>];
  const tool = { name: "spoor", version: "0" } as const;
  const report = buildDiffReport([baseline], [candidate], {
    tool,
    inputs: [],
    failOn: "severe",
    timelines: 1,
    unchangedTimelines: true,
  });
  const traces = report.traces.map((pair) => ({ ...pair, timeline: withResults(pair.timeline!, baseline, candidate) }));
  const diff: DiffReport = { ...report, traces };
  const { rows } = buildComparisonView({ noun: "trace", reports: { diff } })!.traces[0]!;
  return rows.find(({ candidate: side }) => side?.calls !== undefined)!;
}

it("shows on each side what its own call returned, also where the turns are the same", () => {
  const row = viewOf("in Porto", "in Lisbon");
  expect(row.kind).toBe("same");
  expect(row.baseline!.calls).toMatchObject([{ name: "lookup", output: "in Porto" }]);
  expect(row.candidate!.calls).toMatchObject([{ name: "lookup", output: "in Lisbon" }]);
});

it("holds an unchanged turn once", () => {
  const row = viewOf("in Porto", "in Porto");
  expect(row.baseline).not.toHaveProperty("calls");
  expect(row.candidate!.calls).toHaveLength(1);
});
