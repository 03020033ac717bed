import { expect, it } from "vitest";
import { recordsOf } from "../../test/build.ts";
import type { Severity } from "../judgement/severity.ts";
import { buildTrace } from "../trace/build-trace.ts";
import { buildDiffReport } from "./build-diff-report.ts";

/** Three turns that say the same and take so long. */
const run = (latencyMs: number) =>
  buildTrace(
    recordsOf(["a", "b", "c"].map((text, index) => ({ user: `${text}?`, text, latencyMs: latencyMs + index }))),
  );

const report = (failOn: Severity) =>
  buildDiffReport([run(100)], [run(1000)], { tool: { name: "spoor", version: "0" }, inputs: [], failOn });

it("never says that nothing changed where it blocks", () => {
  expect(report("none")).toMatchObject({ verdict: { code: "unchanged" }, gate: { tripped: false } });
  expect(report("minor")).toMatchObject({
    verdict: { code: "average_moved", axis: "latency", baseline: 101, candidate: 1001 },
    gate: { tripped: true },
  });
});
