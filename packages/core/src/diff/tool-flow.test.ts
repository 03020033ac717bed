import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { buildToolFlow } from "./tool-flow.ts";

const run = (...tools: string[]) => traceOf(tools.map((name) => ({ calls: [name] })));
const before = run("look", "ask", "pay");

/** Counted by hand: three pairs, of which the second skips the question and the third pays twice. */
const pairs = [
  { baseline: before, candidate: run("look", "ask", "pay") },
  { baseline: before, candidate: run("look", "pay") },
  { baseline: before, candidate: run("look", "ask", "pay", "pay") },
];

it("counts the runs of either side that take a step, each once", () => {
  const { tools, steps, omitted, pairs: all } = buildToolFlow(pairs);
  expect(all).toBe(3);
  expect(tools).toEqual([
    { tool: "look", baseline: 3, candidate: 3 },
    { tool: "ask", baseline: 3, candidate: 2 },
    { tool: "pay", baseline: 3, candidate: 3 },
  ]);
  const step = (from: string | null, to: string | null) => steps.find((one) => one.from === from && one.to === to);
  expect(step(null, "look")).toMatchObject({ baseline: { runs: 3 }, candidate: { runs: 3 } });
  expect(step("look", "ask")).toEqual({
    from: "look",
    to: "ask",
    baseline: { runs: 3 },
    candidate: { runs: 2, pairs: [0, 2] },
  });
  expect(step("look", "pay")).toMatchObject({ baseline: { runs: 0 }, candidate: { runs: 1, pairs: [1] } });
  expect(step("pay", "pay")).toMatchObject({ baseline: { runs: 0 }, candidate: { runs: 1, pairs: [2] } });
  expect(step("pay", null)).toMatchObject({ baseline: { runs: 3 }, candidate: { runs: 3 } });
  expect([steps.length, omitted]).toEqual([6, { tools: 0, steps: 0 }]);
});

it("a run without a call begins and ends", () => {
  const silent = traceOf([{ text: "hello" }]);
  expect(buildToolFlow([{ baseline: silent, candidate: silent }]).steps).toEqual([
    { from: null, to: null, baseline: { runs: 1 }, candidate: { runs: 1 } },
  ]);
});

it("leaves out the rarest tools and says how many", () => {
  const names = Array.from({ length: 40 }, (_, at) => `tool-${at}`);
  const often = run(...names.slice(0, 30));
  const { tools, omitted } = buildToolFlow([
    { baseline: often, candidate: often },
    { baseline: often, candidate: run(...names) },
  ]);
  expect(tools.map(({ tool }) => tool)).toEqual(names.slice(0, 30));
  expect(omitted.tools).toBe(10);
});
