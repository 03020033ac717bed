import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it } from "vitest";
import { runRecord } from "../../test/run-record.ts";
import { holdsUnder } from "./holds-under.ts";
import type { PlannedRun } from "./plan-runs.ts";
import type { RunLimits } from "./run-limits.ts";

function holds(
  extra: Partial<RunRecord>,
  timeoutMs: number,
  limits: RunLimits = {},
  ofTarget: RunLimits = {},
): boolean {
  const target = { provider: { limits: ofTarget } } as PlannedRun["target"];
  return holdsUnder(runRecord("a", 1, true, extra), { timeoutMs, limits, target });
}

const timedOut = { ended: "limit", limit: { kind: "timeout", at: 2 } } as const;
const tooManyTurns = { ended: "limit", limit: { kind: "turns", at: 4 } } as const;
const answered = {
  ended: "answered",
  duration_ms: 5000,
  token_usage: { input: 90, output: 10 },
  cost_usd: 0.5,
} as const;

it.each<[string, boolean, boolean]>([
  ["a time that was up, and still would be", holds(timedOut, 2000), true],
  ["a longer time makes it again", holds(timedOut, 60_000), false],
  ["a shorter time too: what was done until then would be less", holds(timedOut, 1000), false],
  ["turns of the case, as before", holds(tooManyTurns, 2000, { turns: 4 }), true],
  ["more turns", holds(tooManyTurns, 2000, { turns: 5 }), false],
  ["no limit of turns any more", holds(tooManyTurns, 2000), false],
  ["turns of the target's own words", holds(tooManyTurns, 2000, {}, { turns: 4 }), true],
  ["an answer in time", holds(answered, 5000), true],
  ["an answer that a longer time leaves as it is", holds(answered, 60_000), true],
  ["an answer that would come too late now", holds(answered, 4999), false],
  ["an answer within its tokens", holds(answered, 5000, { tokens: 100 }), true],
  ["an answer of too many tokens now", holds(answered, 5000, { tokens: 99 }), false],
  ["an answer that is too dear now", holds(answered, 5000, { costUsd: 0.49 }), false],
  ["an answer of too many turns now", holds(answered, 5000, { turns: 1 }), false],
  ["a limit that nobody knows the place of", holds({ ended: "limit", limit: { kind: "cost" } }, 1), true],
  ["an agent that broke down", holds({ ended: "error", duration_ms: 9000 }, 1000), true],
])("%s", (_name, found, expected) => {
  expect(found).toBe(expected);
});
