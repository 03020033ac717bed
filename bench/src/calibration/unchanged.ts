/** How often `unchanged` is said rightly, of unchanged agents, and wrongly, of agents that moved by the tolerance or more. */
import { plantedChanges } from "@spoor/core/internal/cohort/plant";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { createRandom } from "@spoor/core/internal/stats/random";
import type { BenchmarkRow } from "../benchmark.ts";
import { Arena, byScenario, type Entry, randomSplit } from "./arena.ts";
import type { Corpora } from "./corpora.ts";
import type { Effort } from "./effort.ts";

/** Shares of candidate runs with a new tool: none, the tolerance for rates, one and a half times as many. */
const SHARES = [0, 0.2, 0.3] as const;

/** Of the two agents of tau2 at least 0.60 right; wrong at tolerance at most 0.06 on average, at 1.5 times at most 0.01. */
export function unchangedRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const kinds = [
    ["tau2 40 × 1, first agent", byScenario(corpora.promptA, 2), 1, 1, 0.6],
    ["tau2 40 × 1, second agent", byScenario(corpora.promptB, 2), 1, 1, 0.6],
    ["tau2 40 × (2+1), first agent", byScenario(corpora.promptA, 3), 2, 1, undefined],
    ["tau2 40 × (2+1), second agent", byScenario(corpora.promptB, 3), 2, 1, undefined],
    ["AgentDojo 36 × 4", byScenario(corpora.attacked, 8), 4, 4, undefined],
    ["airline 25 × 2", byScenario(corpora.airline, 4), 2, 2, undefined],
  ] as const;
  const wrong: [number[], number[]] = [[], []];
  const rows = kinds.map(([name, scenarios, baseline, candidate, least]): BenchmarkRow => {
    const [right, atTolerance, beyond] = SHARES.map((share) =>
      shareUnchanged(scenarios, baseline, candidate, share, effort),
    ) as [number, number, number];
    wrong[0].push(atTolerance);
    wrong[1].push(beyond);
    return {
      what: `unchanged said of ${name}`,
      measured: `rightly ${right.toFixed(2)}; wrongly ${atTolerance.toFixed(3)} at tolerance, ${beyond.toFixed(3)} at 1.5 times`,
      against: least === undefined ? "informs only" : `rightly at least ${least.toFixed(2)}`,
      ...(least === undefined ? {} : { kept: right >= least }),
    };
  });
  return [
    ...rows,
    ...([0.06, 0.01] as const).map((most, at): BenchmarkRow => {
      const mean = wrong[at]!.reduce((sum, share) => sum + share, 0) / kinds.length;
      return {
        what: `unchanged said wrongly, a new tool in ${100 * SHARES[at + 1]!} % of runs, mean of ${kinds.length} kinds`,
        measured: mean.toFixed(3),
        against: `at most ${most}`,
        kept: mean <= most,
      };
    }),
  ];
}

function shareUnchanged(
  scenarios: readonly (readonly CohortRun[])[],
  baseline: number,
  candidate: number,
  share: number,
  effort: Effort,
): number {
  const newTool = plantedChanges.find(({ name }) => name === "new_tool")!;
  const random = createRandom(5);
  const context = { random, commonestTool: undefined };
  const planted = new Map(scenarios.flat().map((run) => [run, newTool.plant(run, context)]));
  const arena = new Arena();
  let said = 0;
  for (let round = 0; round < effort.planted; round++) {
    const entries = randomSplit(scenarios, scenarios.length, baseline, candidate, random).map((entry): Entry => {
      const changed = entry.side === "candidate" && random.unit() < share ? planted.get(entry.run) : undefined;
      return changed === undefined ? entry : { ...entry, run: changed };
    });
    // The intervals need no labelling; only where they allow it the test is asked. More draws would not move the verdict.
    const bare = { draws: 0, limit: 0, seed: round, judges: () => false };
    if (arena.compare(entries, bare).verdict !== "unchanged") continue;
    if (arena.compare(entries, { draws: 299, limit: 299, seed: round }).verdict === "unchanged") said++;
  }
  return said / effort.planted;
}
