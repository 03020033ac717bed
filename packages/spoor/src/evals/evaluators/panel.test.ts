import { resultOf } from "@spoor/core/internal/evaluators/run-evaluators";
import { expect, it } from "vitest";
import { type Ballot, countVotes, type Vote } from "./panel.ts";

const LINE = 0.8;

function ballots(...scores: readonly (number | "ruled out")[]): Ballot[] {
  return scores.map((score, index) => ({
    judge: `j${index + 1}`,
    attempts: 1,
    outcome: {
      score: score === "ruled out" ? 1 : score,
      aspects: 1,
      checks: [],
      ...(score === "ruled out" ? { ruledOut: true as const } : {}),
    },
  }));
}

function decide(vote: Vote, scores: readonly (number | "ruled out")[], negate = false) {
  const config = { name: "n", type: "llm_judge", weight: 1, required: false, negate, params: {} };
  return resultOf(config, countVotes(ballots(...scores), vote, LINE));
}

it.each([
  // Of three, two decide: the median of 1, 0.9 and 0.2 is 0.9.
  ["majority", [1, 0.2, 0.9], 0.9, "passed"],
  ["majority", [0, 0.2, 0.9], 0.2, "failed"],
  // Two against two: the lower median, and no pass.
  ["majority", [1, 1, 0, 0], 0, "failed"],
  ["majority", [1, 0], 0, "failed"],
  ["majority", [1, 1, 0.8, 0], 0.8, "passed"],
  // (1 + 0.2 + 0.9) / 3
  ["mean", [1, 0.2, 0.9], 0.7, "failed"],
  ["mean", [1, 0.7, 0.7], 0.8, "passed"],
  ["all", [1, 0.9, 0.8], 0.8, "passed"],
  ["all", [1, 1, 0.79], 0.79, "failed"],
] as const)("%s of %j is %d", (vote, scores, score, status) => {
  const result = decide(vote, scores);
  expect(result.score).toBeCloseTo(score, 12);
  expect(result.status).toBe(status);
});

it("says a tie, and takes it for no proof of the opposite", () => {
  const tie = decide("majority", [1, 0]);
  expect(tie.reasoning).toBe("1 of 2 judges pass it (majority, a tie is not passed): j1 1.00, j2 0.00");
  expect(tie.details).toMatchObject({ tie: true, disagree: true, passed: 1 });
  expect(decide("majority", [1, 0], true)).toMatchObject({ status: "failed", score: 0 });
  expect(decide("majority", [0, 0, 1], true)).toMatchObject({ status: "passed" });
});

it("shows who said what, and whether they disagree", () => {
  expect(decide("majority", [1, 0.9, 0.2]).details).toEqual({
    vote: "majority",
    judges: [
      { judge: "j1", score: 1, passed: true, attempts: 1 },
      { judge: "j2", score: 0.9, passed: true, attempts: 1 },
      { judge: "j3", score: 0.2, passed: false, attempts: 1 },
    ],
    passed: 2,
    disagree: true,
  });
  expect(decide("majority", [1, 1, 0.9]).details).toMatchObject({ disagree: false });
});

it("takes a required item that a judge misses for a vote against it", () => {
  expect(decide("majority", ["ruled out", 1, 1]).status).toBe("passed");
  expect(decide("majority", ["ruled out", "ruled out", 1])).toMatchObject({ status: "failed", reason: "ruled_out" });
  expect(decide("all", ["ruled out", 1, 1]).status).toBe("failed");
  expect(decide("mean", ["ruled out", 1]).status).toBe("failed");
});

it("leaves a single judge alone", () => {
  expect(countVotes(ballots(0.5), "majority", LINE)).toMatchObject({
    score: 0.5,
    details: { judge: "j1", attempts: 1 },
  });
});
