import { expect, it } from "vitest";
import { buildDesign } from "./design.ts";
import { firstSeenTools } from "./first-seen.ts";
import { callersOfTools } from "./signals/novel.ts";

it("lists tools that only candidate runs call, with the exact chance of that split", () => {
  const runs = (["baseline", "baseline", "candidate", "candidate"] as const).flatMap((side, index) => [
    { scenario: "a", side, tools: index >= 2 ? [0, 1] : [0] },
    { scenario: "b", side, tools: index === 3 ? [0, 1, 2] : [0] },
  ]);
  const design = buildDesign(runs);
  const callers = callersOfTools(design, 3, (position) => runs[position]!.tools);
  expect(firstSeenTools(design, ["get", "delete", "wipe"], callers)).toEqual([
    // Both candidate runs of a: 1 of 6 ways; one of b: 1 of 2.
    { tool: "delete", candidateRuns: 3, ofRuns: 4, scenarios: ["a", "b"], chance: (1 / 6) * (1 / 2) },
    { tool: "wipe", candidateRuns: 1, ofRuns: 4, scenarios: ["b"], chance: 1 / 2 },
  ]);
});
