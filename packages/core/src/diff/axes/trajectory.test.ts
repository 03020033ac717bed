import { expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

it.each([
  { before: ["a", "b"], after: ["a", "b"], share: 0 },
  { before: ["a", "b"], after: ["a", "c"], share: 0.5 },
  { before: ["a", "b", "c", "d"], after: ["a", "c", "d"], share: 0.25 },
  { before: ["a"], after: [], share: 1 },
  { before: [], after: [], share: 0 },
])("$before to $after changes $share of the calls", ({ before, after, share }) => {
  const { rows } = diffTraces(traceOf([{ text: "x", calls: before }]), traceOf([{ text: "x", calls: after }]), {
    pairing: "index",
  });
  expect(rows.find(({ axis }) => axis === "trajectory")).toMatchObject({ n: 1, delta: share });
});
