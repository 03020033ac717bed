import { expect, it } from "vitest";
import { interval } from "../../test/cohort.ts";
import { buildDesign } from "./design.ts";
import { decideVerdict, scopeOf } from "./verdict.ts";

const designOf = (scenarios: number, repeats = 1) =>
  buildDesign(
    Array.from({ length: scenarios }, (_, scenario) =>
      Array.from({ length: 2 * repeats }, (_, index) => ({
        scenario: `s${scenario}`,
        side: index < repeats ? ("baseline" as const) : ("candidate" as const),
      })),
    ).flat(),
  );
const within = (item: string, high: number) => interval(item, -high, high);
const narrow = { critical: 2, items: [within("has:f", 0.1)] };
const wide = { critical: 2, items: [within("has:f", 0.3), within("has:g", 0.4), within("has:h", 0.1)] };

it.each([
  { name: "p at alpha", design: designOf(6), p: 0.05, reachable: 0.01, intervals: wide, verdict: "changed", codes: [] },
  {
    name: "narrow intervals",
    design: designOf(6),
    p: 0.06,
    reachable: 0.01,
    intervals: narrow,
    verdict: "unchanged",
    codes: [],
  },
  {
    name: "narrow intervals and no p to reach",
    design: designOf(6),
    p: 1,
    reachable: 1,
    intervals: narrow,
    verdict: "unchanged",
    codes: [],
  },
  {
    name: "wide intervals",
    design: designOf(6),
    p: 0.3,
    reachable: 0.01,
    intervals: wide,
    verdict: "not_enough_evidence",
    codes: ["intervals_too_wide"],
  },
  {
    name: "few labellings",
    design: designOf(4),
    p: 0.3,
    reachable: 0.06,
    intervals: wide,
    verdict: "not_enough_evidence",
    codes: ["too_few_relabellings", "intervals_too_wide"],
  },
  {
    name: "one scenario",
    design: designOf(1, 9),
    p: 0.3,
    reachable: 0.01,
    intervals: undefined,
    verdict: "not_enough_evidence",
    codes: ["single_scenario"],
  },
  {
    name: "one scenario, found",
    design: designOf(1, 9),
    p: 0.01,
    reachable: 0.01,
    intervals: undefined,
    verdict: "changed",
    codes: [],
  },
  {
    name: "nothing in common",
    design: designOf(0),
    p: 1,
    reachable: 1,
    intervals: undefined,
    verdict: "not_enough_evidence",
    codes: ["no_common_scenario"],
  },
])("$name: $verdict", ({ design, p, reachable, intervals, verdict, codes }) => {
  const decision = decideVerdict({ design, p, reachable, alpha: 0.05, intervals });
  expect(decision.verdict).toBe(verdict);
  expect(decision.reasons.map(({ code }) => code)).toEqual(codes);
});

it("names the interval that exceeds its tolerance the most", () => {
  const { reasons } = decideVerdict({ design: designOf(6), p: 1, reachable: 0, alpha: 0.05, intervals: wide });
  expect(reasons).toEqual([{ code: "intervals_too_wide", item: "has:g" }]);
});

it("reaches into scenarios only when every one has repeats", () => {
  expect(scopeOf(designOf(3, 2))).toBe("per_scenario");
  expect(scopeOf(designOf(3, 1))).toBe("on_average");
});
