/**
 * Several judges, one outcome. `majority` takes the median, and the lower one of an even number: more than half must reach the line.
 * `mean` takes the mean, `all` the lowest. A tie is no pass and no proof of the opposite either.
 */
import type { JsonObject } from "@spoor/core";
import type { Check, Outcome } from "@spoor/core/internal/evaluators/evaluation";

export const votes = ["majority", "mean", "all"] as const;
export type Vote = (typeof votes)[number];

export interface Ballot {
  readonly judge: string;
  readonly outcome: Outcome;
  readonly attempts: number;
}

export function countVotes(ballots: readonly Ballot[], vote: Vote, passLine: number): Outcome {
  const [only] = ballots;
  if (ballots.length === 1) return { ...only!.outcome, details: { judge: only!.judge, attempts: only!.attempts } };
  const passed = ballots.filter((ballot) => passes(ballot, passLine)).length;
  const isTie = vote === "majority" && passed * 2 === ballots.length;
  const score = scoreOf(
    ballots.map(({ outcome }) => outcome.score),
    vote,
  );
  const ruledOut = isRuledOut(ballots, vote, passed);
  return {
    score,
    aspects: Math.max(...ballots.map(({ outcome }) => outcome.aspects)),
    checks: ballots.flatMap(checksOf),
    reasoning: `${verdictText(ballots, vote, passed, isTie)}${reasonsOf(ballots)}`,
    details: {
      vote,
      judges: ballots.map((ballot) => ballotDetails(ballot, passLine)),
      passed,
      disagree: passed > 0 && passed < ballots.length,
      ...(isTie ? { tie: true } : {}),
    },
    ...(ruledOut ? { ruledOut: true as const } : {}),
    ...(isTie || ballots.some(({ outcome }) => outcome.noData) ? { noData: true as const } : {}),
  };
}

function passes({ outcome }: Ballot, passLine: number): boolean {
  return outcome.score >= passLine && outcome.ruledOut !== true;
}

function scoreOf(scores: readonly number[], vote: Vote): number {
  const sorted = scores.toSorted((left, right) => left - right);
  if (vote === "all") return sorted[0]!;
  // Adding in floating point must not leave 1, 0.7 and 0.7 just below 0.8.
  if (vote === "mean") return Number((sorted.reduce((sum, score) => sum + score, 0) / sorted.length).toFixed(12));
  return sorted[Math.floor((sorted.length - 1) / 2)]!;
}

/** What the score alone would let pass although the judges do not: one of them found something required missing. */
function isRuledOut(ballots: readonly Ballot[], vote: Vote, passed: number): boolean {
  const objections = ballots.filter(({ outcome }) => outcome.ruledOut === true).length;
  if (objections === 0) return false;
  return vote === "all" || (vote === "majority" ? passed * 2 <= ballots.length : objections * 2 >= ballots.length);
}

function verdictText(ballots: readonly Ballot[], vote: Vote, passed: number, isTie: boolean): string {
  const scores = ballots.map(({ judge, outcome }) => `${judge} ${outcome.score.toFixed(2)}`).join(", ");
  const tie = isTie ? ", a tie is not passed" : "";
  return `${passed} of ${ballots.length} judges pass it (${vote}${tie}): ${scores}`;
}

function reasonsOf(ballots: readonly Ballot[]): string {
  return ballots
    .flatMap(({ judge, outcome }) => (outcome.reasoning === undefined ? [] : [`; ${judge}: ${outcome.reasoning}`]))
    .join("");
}

function checksOf({ judge, outcome }: Ballot): Check[] {
  return outcome.checks.map(({ passed, text }) => ({ passed, text: `[${judge}] ${text}` }));
}

function ballotDetails(ballot: Ballot, passLine: number): JsonObject {
  const { judge, outcome, attempts } = ballot;
  return { judge, score: outcome.score, passed: passes(ballot, passLine), attempts };
}
