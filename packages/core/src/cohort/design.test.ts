import { expect, it } from "vitest";
import { buildDesign } from "./design.ts";

it("orders scenarios by code point and keeps the input order inside, leaving one-sided scenarios out and counting them", () => {
  const design = buildDesign([
    { scenario: "b", side: "candidate" },
    { scenario: "lonely", side: "candidate" },
    { scenario: "b", side: "baseline" },
    { scenario: "Z", side: "baseline" },
    { scenario: "Z", side: "candidate" },
    { scenario: "Z", side: "candidate" },
    { scenario: "b", side: "candidate", turns: 0 },
    { scenario: "lonely", side: "candidate" },
  ]);
  expect(design.scenarios).toMatchObject([
    { id: "Z", start: 0, end: 3, baseline: 1, candidate: 2, weight: 2 / 3 },
    { id: "b", start: 3, end: 5, baseline: 1, candidate: 1, weight: 0.5 },
  ]);
  expect([...design.order]).toEqual([3, 4, 5, 0, 2]);
  expect([...design.observed]).toEqual([0, 1, 1, 1, 0]);
  expect(design.leftOut).toEqual([
    { scenario: "b", side: "candidate", runs: 1, reason: "no_response" },
    { scenario: "lonely", side: "candidate", runs: 2, reason: "one_side_only" },
  ]);
});

it("leaves a scenario out when its only candidate run has no response", () => {
  const design = buildDesign([
    { scenario: "a", side: "baseline", turns: 3 },
    { scenario: "a", side: "candidate", turns: 0 },
  ]);
  expect(design.scenarios).toEqual([]);
  expect(design.leftOut.map(({ reason, side }) => `${side} ${reason}`)).toEqual([
    "candidate no_response",
    "baseline one_side_only",
  ]);
});
