import { expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

const trace = traceOf([{ text: "good" }, { text: "bad" }, { text: "who knows" }]);
const scores = new Map([
  ["good", 0.75],
  ["bad", 0.25],
]);

it("is the median of the scores against a full mark, without turns that the judge has no opinion on", () => {
  const { rows } = diffTraces(trace, trace, { judge: (_baseline, { text }) => scores.get(text) });
  expect(rows.find(({ axis }) => axis === "judge")).toMatchObject({
    n: 2,
    measured: 2,
    delta: -0.5,
    direction: "worse",
  });
});
