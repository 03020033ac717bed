import { expect, it } from "vitest";
import { plainText } from "../../document/text.ts";
import { type AgentFacts, describeOverview } from "./overview.ts";

const agent = (facts: Partial<AgentFacts> = {}): AgentFacts => ({
  name: "shop",
  runs: 40,
  releases: 1,
  isKnown: false,
  proposed: [],
  unknownRuns: 0,
  ...facts,
});
const lead = (...agents: AgentFacts[]) => {
  const { mark, headline } = describeOverview({ agents, rejected: 0, isRejectedCapped: false });
  return [mark, plainText(headline)];
};

it("one release has nothing to be compared with; of a second one it says that it is about to be judged", () => {
  expect(lead(agent())).toEqual(["unknown", "1 agent recorded, and nothing to compare yet"]);
  expect(lead(agent(), agent({ name: "desk", releases: 2 }))).toEqual([
    "unknown",
    "2 agents recorded, and the newest release is about to be judged",
  ]);
});

it("speaks of the agent that is worst off, and never calls what was not judged unchanged", () => {
  const verdict = { release: "v2", against: "v1", word: "Passed", headline: ["nothing moved"], detail: [] };
  const passed = agent({ name: "desk", releases: 2, verdict: { ...verdict, status: "passed" } });
  const unsure = agent({ releases: 2, verdict: { ...verdict, word: "Not judged", status: "not_evaluated" } });
  expect(lead(passed)).toEqual(["passed", "The agent did not change"]);
  expect(lead(passed, unsure)).toEqual(["unknown", "shop: nothing moved"]);
  const blocked = agent({ name: "till", releases: 2, verdict: { ...verdict, word: "Blocked", status: "blocked" } });
  const { detail } = describeOverview({ agents: [passed, unsure, blocked], rejected: 0, isRejectedCapped: false });
  expect(plainText(detail)).toBe(
    "Blocked with release v2, compared with v1. 1 other agent did not change. 1 other agent could not be judged.",
  );
});
