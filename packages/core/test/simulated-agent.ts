/**
 * An agent that exists only in memory: what it does on a scenario is drawn from a seeded stream, and depends on which of its inputs are the
 * candidate's. For tests and measurements of the search for inputs that matter.
 */
import type { Aspect } from "../src/cohort/aspects.ts";
import type { CohortCall, CohortRun } from "../src/cohort/run.ts";
import { createRandom, type Random } from "../src/stats/random.ts";
import { type Found, type SearchOptions, searchInputs } from "../src/why/search-inputs.ts";
import type { Configuration } from "../src/why/why-report.ts";

export interface SimulatedAgent {
  readonly inputs: readonly string[];
  /** Whether the agent acts as the candidate does when these inputs are the candidate's. */
  readonly isMoved: (candidates: ReadonlySet<string>) => boolean;
  readonly scenarios: number;
  readonly repeat: number;
  /** Inputs that requests do not have. */
  readonly missing?: readonly string[];
  readonly maxRuns?: number;
  /** What is compared; everything unless said. */
  readonly aspects?: readonly Aspect[];
}

export function simulateSearch(agent: SimulatedAgent, seed: number): Found {
  const random = createRandom(seed);
  const runsEach = agent.scenarios * agent.repeat;
  const options: SearchOptions = {
    alpha: 0.05,
    seed: 42,
    runsEach,
    maxRuns: agent.maxRuns ?? 10_000,
    aspects: agent.aspects,
  };
  const search = searchInputs(agent.inputs, options);
  let step = search.next();
  while (!step.done) {
    step = search.next(
      step.value.map((configuration) => ({
        runs: runsOf(agent, configuration, random),
        notExchanged: configuration.reverted.filter((input) => agent.missing?.includes(input)),
      })),
    );
  }
  return step.value;
}

function runsOf(agent: SimulatedAgent, { program, reverted }: Configuration, random: Random): CohortRun[] {
  const candidates = new Set(program === "base" ? [] : agent.inputs.filter((input) => !reverted.includes(input)));
  const moved = agent.isMoved(candidates);
  return Array.from({ length: agent.scenarios * agent.repeat }, (_, index) => {
    const scenario = index % agent.scenarios;
    return runOf(`scenario-${scenario}`, scenario, moved, random);
  });
}

/** Looks things up as often as the scenario and chance ask for; a moved agent mostly leaves the confirmation out. */
function runOf(scenario: string, number: number, moved: boolean, random: Random): CohortRun {
  const chance = (share: number) => random.unit() < share;
  const calls: CohortCall[] = [{ name: "lookup", args: { id: `A${number}` } }];
  if (chance(0.3)) calls.push({ name: "search", args: { text: chance(0.5) ? "order" : "refund" } });
  if (chance(moved ? 0.15 : 0.9)) calls.push({ name: "confirm", args: { amount: 10 + number } });
  calls.push({ name: "refund", args: { amount: chance(0.1) ? 11 + number : 10 + number } });
  const text = chance(0.5) ? "Your refund is on its way." : "The money comes back within days.";
  return { scenario, side: "baseline", calls, turns: calls.length + 1, texts: [text], stop: "end_turn" };
}
