/**
 * How many runs would it take? Asked of the agent's own noise: its recorded repeats are split at random into two sides that
 * are alike by construction, a known change is planted into a share of the candidate side, and the test runs. The share of
 * rounds in which it says `changed` is the power. With nothing planted the same share is the false-alarm rate.
 *
 * Then the same with other ways to spend runs: one run of each scenario, two runs of each, one run of twice as many scenarios. More
 * scenarios show what moves everywhere in the same direction; only repeats show what differs from scenario to scenario.
 */
import { judgeDefaults } from "./judge-cohort.ts";
import { type PlanDesign, PlanSimulator, type PowerPoint, type SimulatorOptions } from "./plan-simulator.ts";
import { type PlantedChange, plantedChanges } from "./plant.ts";
import type { CohortRun } from "./run.ts";

export interface SimulateOptions extends Partial<SimulatorOptions> {
  readonly shares?: readonly number[];
  readonly changes?: readonly PlantedChange[];
  readonly ways?: readonly PlanWay[];
  readonly onProgress?: (done: number, total: number) => void;
}

const planWays = ["one_run", "two_runs", "twice_the_scenarios"] as const;
/** A way to spend runs, beside the recorded scenarios: one run a side of each unless it says otherwise. */
export type PlanWay = (typeof planWays)[number];

export interface PlannedChange {
  readonly change: string;
  readonly words: string;
  readonly aspect: string;
  /** Share of the runs into which the change can be planted at all. */
  readonly applicable: number;
  /** As recorded, by share of runs touched. */
  readonly byShare: readonly PowerPoint[];
  /** With every candidate run touched, by the way runs are spent. */
  readonly byWay: readonly (PowerPoint & { readonly way: PlanWay })[];
  /** The fewest runs a side, of the ways tried, that find it in 8 of 10 rounds; null when none does. */
  readonly runsPerSide: number | null;
}

export interface Simulation {
  /** Comparisons per figure, at most. */
  readonly rounds: number;
  /** Every share is known to within this, 19 times of 20. */
  readonly error: number;
  readonly scenarios: number;
  /** Runs a side when all repeats are split in two. */
  readonly runsPerSide: number;
  /** Scenarios with one run only, which cannot be split. */
  readonly withoutRepeats: number;
  /** Share of rounds that say `changed` although nothing was planted. */
  readonly falseAlarms: number;
  readonly changes: readonly PlannedChange[];
}

/** What a plan asks about; the others only serve calibration. */
const planChanges = plantedChanges.filter(({ name }) => name !== "missing_effect" && name !== "new_key");
const WANTED_POWER = 0.8;
/** A changed prompt or model changes every run. */
const WAY_SHARE = 1;

/** Undefined when no scenario has two runs: there is no noise to learn from. */
export function simulatePlan(runs: readonly CohortRun[], options: SimulateOptions = {}): Simulation | undefined {
  const { rounds = 32, shares = [0.2, 0.5, 1], changes = planChanges, ways = planWays } = options;
  // With fourteen signals, fewer labellings could hardly ever reach 5 %.
  const { alpha = judgeDefaults.alpha, draws = 499 } = options;
  const simulator = new PlanSimulator(runs, { ...options, rounds, alpha, draws });
  const { scenarios } = simulator;
  if (scenarios.length === 0) return undefined;

  const cells = 1 + changes.length * (shares.length + ways.length);
  let done = 0;
  const measure = (change: PlantedChange | undefined, share: number, design: PlanDesign): PowerPoint => {
    const point = simulator.measure(change, share, design);
    options.onProgress?.(++done, cells);
    return point;
  };
  const repeats = equalRepeats(scenarios);
  const asRecorded: PlanDesign = { scenarios: scenarios.length, repeats: null };
  const falseAlarms = measure(undefined, 0, asRecorded);
  return {
    rounds,
    error: simulator.error,
    scenarios: scenarios.length,
    runsPerSide: falseAlarms.runsPerSide,
    withoutRepeats: simulator.withoutRepeats,
    falseAlarms: falseAlarms.found,
    changes: changes.map((change): PlannedChange => {
      const byShare = shares.map((share) => measure(change, share, asRecorded));
      const recorded = byShare.find(({ share }) => share === WAY_SHARE);
      const byWay = ways.map((way) => {
        const design = designOf(way, scenarios.length);
        const known = design.scenarios === scenarios.length && design.repeats === repeats ? recorded : undefined;
        return { way, ...(known ?? measure(change, WAY_SHARE, design)) };
      });
      const enough = byWay.filter(({ found }) => found >= WANTED_POWER).map(({ runsPerSide }) => runsPerSide);
      return {
        change: change.name,
        words: change.words,
        aspect: change.aspect,
        applicable: simulator.applicable(change),
        byShare,
        byWay,
        runsPerSide: enough.length === 0 ? null : Math.min(...enough),
      };
    }),
  };
}

/** Runs a side of every scenario, where all have the same even number of runs; undefined otherwise. */
function equalRepeats(scenarios: readonly (readonly number[])[]): number | undefined {
  const runs = scenarios[0]!.length;
  return runs % 2 === 0 && scenarios.every((members) => members.length === runs) ? runs / 2 : undefined;
}

function designOf(way: PlanWay, scenarios: number): PlanDesign {
  switch (way) {
    case "one_run":
      return { scenarios, repeats: 1 };
    case "two_runs":
      return { scenarios, repeats: 2 };
    case "twice_the_scenarios":
      return { scenarios: 2 * scenarios, repeats: 1 };
  }
}
