/**
 * How many runs would it take? Asked of the agent's own noise: its recorded repeats are split at random into two sides that
 * are alike by construction, a known change is planted into a share of the candidate side, and the test runs. The share of
 * rounds in which it says `changed` is the power. With nothing planted the same share is the false-alarm rate.
 *
 * Sizes beyond the recording are extrapolated by drawing the recorded scenarios more than once, and marked as such.
 * Cost: changes × shares × rounds tests; a touched run is read again, the others once.
 */
import { createRandom, DEFAULT_SEED, type Random } from "../stats/random.ts";
import { shuffled } from "../stats/shuffled.ts";
import { buildDesign } from "./design.ts";
import { createObserver, type Observation, type Observer } from "./observe.ts";
import { commonestToolOf, type PlantedChange, plantedChanges } from "./plant.ts";
import type { CohortRun } from "./run.ts";
import { testCohort } from "./test-cohort.ts";

export interface SimulateOptions {
  readonly alpha?: number;
  readonly seed?: number;
  /** Splits per cell. */
  readonly rounds?: number;
  /** Relabellings per test: fewer than in a real comparison, because only "p ≤ α" matters here. */
  readonly draws?: number;
  readonly shares?: readonly number[];
  readonly changes?: readonly PlantedChange[];
  /** Multiples of the recorded scenarios at which the curve is computed. */
  readonly sizes?: readonly number[];
  readonly onProgress?: (done: number, total: number) => void;
}

/** The share of rounds in which a change was found. */
export interface PowerPoint {
  /** Share of the candidate runs that carry the change. */
  readonly share: number;
  readonly scenarios: number;
  /** Runs a side, over all scenarios. */
  readonly runsPerSide: number;
  readonly found: number;
  /** Drawn from more scenarios than were recorded. */
  readonly extrapolated: boolean;
}

export interface PlannedChange {
  readonly change: string;
  readonly words: string;
  readonly aspect: string;
  /** Share of the runs into which the change can be planted at all. */
  readonly applicable: number;
  /** At the recorded size, by share of runs touched. */
  readonly byShare: readonly PowerPoint[];
  /** With half of the candidate runs touched, by size. */
  readonly bySize: readonly PowerPoint[];
  /** The smallest size of the curve that finds it in 8 of 10 rounds; null when none does. */
  readonly runsPerSide: number | null;
}

export interface Simulation {
  readonly rounds: number;
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
const CURVE_SHARE = 0.5;
/** More recorded scenarios than this are sampled: the answer is a rough figure, its price should not grow without end. */
const MOST_SCENARIOS = 100;

/** Undefined when no scenario has two runs: there is no noise to learn from. */
export function simulatePlan(runs: readonly CohortRun[], options: SimulateOptions = {}): Simulation | undefined {
  const { rounds = 40, shares = [0.2, 0.5, 1], changes = planChanges, sizes = [0.5, 1, 2] } = options;
  const simulator = new Simulator(runs, options, rounds);
  const { scenarios } = simulator;
  if (scenarios.length === 0) return undefined;

  const curve = [...new Set(sizes.map((size) => Math.max(1, Math.round(size * scenarios.length))))];
  const repeated = shares.includes(CURVE_SHARE) && curve.includes(scenarios.length) ? 1 : 0;
  const cells = changes.length * (shares.length + curve.length - repeated) + 1;
  let done = 0;
  const measure = (change: PlantedChange | undefined, share: number, size: number): PowerPoint => {
    const point = simulator.measure(change, share, size);
    options.onProgress?.(++done, cells);
    return point;
  };
  const falseAlarms = measure(undefined, 0, scenarios.length);
  return {
    rounds,
    scenarios: scenarios.length,
    runsPerSide: falseAlarms.runsPerSide,
    withoutRepeats: simulator.withoutRepeats,
    falseAlarms: falseAlarms.found,
    changes: changes.map((change): PlannedChange => {
      const byShare = shares.map((share) => measure(change, share, scenarios.length));
      const known = byShare.find(({ share }) => share === CURVE_SHARE);
      const bySize = curve.map((size) =>
        known !== undefined && size === scenarios.length ? known : measure(change, CURVE_SHARE, size),
      );
      return {
        change: change.name,
        words: change.words,
        aspect: change.aspect,
        applicable: simulator.applicable(change),
        byShare,
        bySize,
        runsPerSide: bySize.find(({ found }) => found >= WANTED_POWER)?.runsPerSide ?? null,
      };
    }),
  };
}

/** Splits, plants and tests. Every original run is observed once. */
class Simulator {
  readonly scenarios: readonly (readonly number[])[];
  readonly withoutRepeats: number;
  private readonly runs: readonly CohortRun[];
  private readonly observer: Observer = createObserver();
  private readonly originals: readonly Observation[];
  private readonly commonestTool: string | undefined;
  private readonly random: Random;
  private readonly options: SimulateOptions;
  private readonly rounds: number;

  constructor(all: readonly CohortRun[], options: SimulateOptions, rounds: number) {
    this.runs = all.filter((run) => run.turns > 0);
    this.options = options;
    this.rounds = rounds;
    this.random = createRandom(options.seed ?? DEFAULT_SEED);
    const members = new Map<string, number[]>();
    for (const [index, { scenario }] of this.runs.entries()) {
      const known = members.get(scenario);
      if (known === undefined) members.set(scenario, [index]);
      else known.push(index);
    }
    const repeated = [...members.values()].filter((runs) => runs.length >= 2);
    this.withoutRepeats = members.size - repeated.length;
    this.scenarios =
      repeated.length > MOST_SCENARIOS ? shuffled(repeated, this.random).slice(0, MOST_SCENARIOS) : repeated;
    this.originals = this.runs.map((run) => this.observer.observe(run));
    this.commonestTool = commonestToolOf(this.runs);
  }

  applicable(change: PlantedChange): number {
    return this.runs.filter((run) => this.plant(change, run) !== undefined).length / this.runs.length;
  }

  measure(change: PlantedChange | undefined, share: number, size: number): PowerPoint {
    // With fourteen signals, fewer labellings could hardly ever reach 5 %.
    const { alpha = 0.05, draws = 499 } = this.options;
    let found = 0;
    let runsPerSide = 0;
    for (let round = 0; round < this.rounds; round++) {
      const runs = this.split(this.drawScenarios(size), change, share);
      runsPerSide = runs.filter(({ side }) => side === "candidate").length;
      const observed = { runs, columns: this.observer.columns, tools: this.observer.tools };
      const test = testCohort(buildDesign(runs), observed, { draws, limit: draws, seed: round });
      if (test.family.p <= alpha) found++;
    }
    return {
      share,
      scenarios: size,
      runsPerSide,
      found: found / this.rounds,
      extrapolated: size > this.scenarios.length,
    };
  }

  /** Planted anew each time: where a change lands matters as much as which runs it touches. */
  private plant(change: PlantedChange, run: CohortRun): CohortRun | undefined {
    return change.plant(run, { random: this.random, commonestTool: this.commonestTool });
  }

  /** A random choice of scenarios; beyond the recorded number every scenario is used before one is used again. */
  private drawScenarios(size: number): (readonly number[])[] {
    const drawn: (readonly number[])[] = [];
    while (drawn.length < size) drawn.push(...shuffled(this.scenarios, this.random).slice(0, size - drawn.length));
    return drawn;
  }

  private split(
    scenarios: readonly (readonly number[])[],
    change: PlantedChange | undefined,
    share: number,
  ): Observation[] {
    const runs: Observation[] = [];
    for (const [index, members] of scenarios.entries()) {
      const order = shuffled(members, this.random);
      const candidates = Math.floor(order.length / 2);
      for (const [place, run] of order.entries()) {
        const isCandidate = place < candidates;
        const isTouched = change !== undefined && isCandidate && this.random.unit() < share;
        const changed = isTouched ? this.plant(change, this.runs[run]!) : undefined;
        const observed = changed === undefined ? this.originals[run]! : this.observer.observe(changed);
        runs.push({ ...observed, scenario: `${index}`, side: isCandidate ? "candidate" : "baseline" });
      }
    }
    return runs;
  }
}
