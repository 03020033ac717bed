import { expect, it } from "vitest";
import type { RunSample } from "./run-facts.ts";
import { summariseRuns } from "./statistics.ts";

it.each([
  { name: "a tool that every run called", runs: [{ save: 2 }, { save: 5 }, { save: 3 }], expected: { save: [2, 5] } },
  { name: "a tool that one run lacks", runs: [{ save: 2 }, {}, { save: 3 }], expected: { save: [0, 3] } },
  {
    name: "tools of one run each",
    runs: [{ a: 1 }, { b: 4 }, { c: 2 }],
    expected: { a: [0, 1], b: [0, 4], c: [0, 2] },
  },
])("the fewest and most calls of $name", ({ runs, expected }) => {
  const { seen } = summariseRuns(runs.map((tools) => sample({ tools: new Map(Object.entries(tools)) })));
  const found = [...seen.toolCalls].map(([tool, { min, max }]) => [tool, [min, max]]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

it("knows the largest figures of more runs than a function has arguments", () => {
  const one = sample({ tokens: 7, steps: 4, errors: 1 });
  const { seen } = summariseRuns([...Array<RunSample>(200_000).fill(one), sample({ tokens: 9, steps: 4, errors: 2 })]);
  expect([seen.tokensMax, seen.errorShareMax]).toEqual([9, 0.5]);
});

function sample(facts: Partial<RunSample>): RunSample {
  return {
    run: "run",
    hash: "hash",
    steps: 1,
    errors: 0,
    tools: new Map(),
    components: new Map(),
    retrieval: new Map(),
    redundant: new Map(),
    errorPatterns: [],
    ...facts,
  };
}
