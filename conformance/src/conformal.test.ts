import { expect, it } from "vitest";
import { conformalBounds } from "./conformal.ts";

it("too few runs give no finite bound, and say how many are needed", () => {
  const report = conformalBounds({ a: [0.1, 0.5], b: [] });
  expect(report).toMatchObject({ worstAxis: "a", requiredRuns: 29, sufficient: false });
  expect(report.axes).toMatchObject([{ axis: "a", bound: null, achievedCoverage: 1 }]);
});
