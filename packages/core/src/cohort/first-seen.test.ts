import { expect, it } from "vitest";
import { buildDesign } from "./design.ts";
import { type CallingRun, firstSeenTools } from "./first-seen.ts";
import { callersOfTools } from "./signals/novel.ts";

const sides = ["baseline", "baseline", "candidate", "candidate"] as const;

function firstSeen(runs: readonly (CallingRun & { readonly names: readonly number[] })[]) {
  const design = buildDesign(runs);
  const callers = callersOfTools(design, 3, (position) => runs[position]!.names);
  return firstSeenTools(design, runs, ["get", "delete", "wipe"], callers);
}

const pairs = sides.flatMap((side, index) => [
  { scenario: "a", side, turns: 1, names: index >= 2 ? [0, 1] : [0] },
  { scenario: "b", side, turns: 1, names: index === 3 ? [0, 1, 2] : [0] },
]);

it("lists tools that only candidate runs call, with the exact chance of that split", () => {
  const of = { ofRuns: 4, ofBaselineRuns: 4 };
  expect(firstSeen(pairs)).toEqual([
    // Both candidate runs of a: 1 of 6 ways; one of b: 1 of 2.
    { tool: "delete", candidateRuns: 3, ...of, scenarios: ["a", "b"], chance: (1 / 6) * (1 / 2) },
    { tool: "wipe", candidateRuns: 1, ...of, scenarios: ["b"], chance: 1 / 2 },
  ]);
});

it("counts a tool as seen when a baseline run without a partner calls it", () => {
  const unpaired = { scenario: "only baseline", side: "baseline" as const, turns: 1, names: [1, 2] };
  expect(firstSeen([...pairs, unpaired])).toEqual([]);
});

it("lists a tool of an unpaired candidate run, without a chance", () => {
  const unpaired = { scenario: "only candidate", side: "candidate" as const, turns: 1, names: [2] };
  const found = firstSeen([...pairs.map((run) => ({ ...run, names: [0] })), unpaired]);
  expect(found).toMatchObject([{ tool: "wipe", candidateRuns: 1, ofRuns: 5, chance: null }]);
});
