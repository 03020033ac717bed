/**
 * Splits an agent's own repeats into two sides that are alike by construction, plants a change into one of them, and tests.
 *
 * Five savings make a plan affordable. Wording is asked about only where the change is one of wording: most features are words, and a plan
 * for what the agent does need not add them up. A comparison is decided as soon as few labellings put it far from α (fewer than 1 in 100 of such
 * decisions would have come out otherwise with all labellings), and a share is settled as soon as it is known as well as the largest
 * number of rounds could tell a share of one half. Labels are drawn once for all comparisons of a shape, and two runs are measured
 * against each other once. Every run is observed once, every planted one twice (where a change lands matters).
 */
import { createRandom, DEFAULT_SEED, type Random } from "../stats/random.ts";
import { shuffled } from "../stats/shuffled.ts";
import { type Aspect, aspectOfGroup, aspects, type SignalName } from "./aspects.ts";
import { buildDesign, type Design } from "./design.ts";
import { isDecided } from "./early-decision.ts";
import { createObserver, type Observation, type Observer } from "./observe.ts";
import { commonestToolOf, type PlantedChange } from "./plant.ts";
import { kept, type Relabellings, relabel } from "./relabel.ts";
import { RememberedPairs } from "./remembered-pairs.ts";
import type { CohortRun } from "./run.ts";
import { testCohort } from "./test-cohort.ts";

export interface SimulatorOptions {
  readonly alpha: number;
  readonly seed?: number;
  /** Comparisons per figure, at most. */
  readonly rounds: number;
  /** Relabellings per comparison: fewer than in a real one, because only "p ≤ α" matters here. */
  readonly draws: number;
}

/** How many scenarios, and runs a side of each; null halves whatever repeats were recorded. */
export interface PlanDesign {
  readonly scenarios: number;
  readonly repeats: number | null;
}

/** The share of rounds in which a change was found. */
export interface PowerPoint {
  /** Share of the candidate runs that carry the change. */
  readonly share: number;
  readonly scenarios: number;
  /** Candidate runs over all scenarios. */
  readonly runsPerSide: number;
  readonly found: number;
  /** Comparisons that were simulated. */
  readonly rounds: number;
  /** Scenarios or runs had to be drawn more than once: on the kind side. */
  readonly extrapolated: boolean;
}

/** Two sides, and the same runs as they are kept, without side and scenario. */
interface Split {
  readonly runs: readonly Observation[];
  readonly sources: readonly Observation[];
}

/** More recorded scenarios than this are sampled: the answer is a rough figure, its price should not grow without end. */
const MOST_SCENARIOS = 100;
/** Fewer rounds that happen to agree would settle a share too soon: none of 12 happens in 1 of 20 plans where the share is 22 %. */
const FEWEST_ROUNDS = 12;
const VARIANTS = 2;
/** Normal quantile of 95 % two-sided. */
const Z = 1.959963984540054;

export class PlanSimulator {
  /** The runs of every scenario that has two or more, as positions. */
  readonly scenarios: readonly (readonly number[])[];
  readonly withoutRepeats: number;
  private readonly runs: readonly CohortRun[];
  private readonly options: SimulatorOptions;
  private readonly observer: Observer = createObserver();
  private readonly originals: readonly Observation[];
  private readonly plantings = new Map<PlantedChange, Map<number, Observation | undefined>>();
  private readonly wordless = new Map<Observation, Observation>();
  private readonly pairs = new RememberedPairs();
  private readonly labellings = new Map<string, Relabellings>();
  private readonly commonestTool: string | undefined;
  private readonly random: Random;

  constructor(all: readonly CohortRun[], options: SimulatorOptions) {
    this.runs = all.filter((run) => run.turns > 0);
    this.options = options;
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

  /** Half the width of the interval of a share that `rounds` comparisons leave at worst. */
  get error(): number {
    return Z * Math.sqrt(0.25 / this.options.rounds);
  }

  applicable(change: PlantedChange): number {
    return this.runs.filter((_, run) => this.planted(change, run) !== undefined).length / this.runs.length;
  }

  measure(change: PlantedChange | undefined, share: number, design: PlanDesign): PowerPoint {
    let found = 0;
    let round = 0;
    let runsPerSide = 0;
    let extrapolated = design.scenarios > this.scenarios.length;
    while (round < this.options.rounds && !(round >= FEWEST_ROUNDS && halfWidth(found, round) <= this.error)) {
      const drawn = this.drawScenarios(design.scenarios);
      const { repeats } = design;
      if (repeats !== null && drawn.some((members) => members.length < 2 * repeats)) extrapolated = true;
      const split = this.split(drawn, repeats, change, share);
      runsPerSide = split.runs.filter(({ side }) => side === "candidate").length;
      if (this.isFound(split, round, aspectsFor(change))) found++;
      round++;
    }
    return { share, scenarios: design.scenarios, runsPerSide, found: found / round, rounds: round, extrapolated };
  }

  private isFound({ runs, sources }: Split, seed: number, asked: readonly Aspect[]): boolean {
    const { alpha } = this.options;
    const design = buildDesign(runs);
    const observed = { runs, columns: this.observer.columns, tools: this.observer.tools };
    const { family } = testCohort(design, observed, {
      relabellings: this.labellingsOf(design, seed),
      aspects: asked,
      judges,
      measure: (design) => this.pairs.measure(design, sources),
      isBrief: true,
      isEnough: isDecided(alpha),
    });
    return family.p <= alpha;
  }

  /** Designs of one shape are relabelled alike, so that the labels of a round are drawn once for all changes. */
  private labellingsOf(design: Design, seed: number): Relabellings {
    const shape = design.scenarios.map(({ start, end }) => design.observed.subarray(start, end).join("")).join(" ");
    const key = `${seed} ${shape}`;
    const known = this.labellings.get(key);
    if (known !== undefined) return known;
    const { draws } = this.options;
    const made = kept(relabel(design, { limit: draws, draws, seed }));
    this.labellings.set(key, made);
    return made;
  }

  /** Two ways to plant it are kept; which runs a change touches, and where it lands in them, is drawn every time. */
  private planted(change: PlantedChange, run: number): Observation | undefined {
    const known = this.plantings.get(change) ?? new Map<number, Observation | undefined>();
    this.plantings.set(change, known);
    const key = VARIANTS * run + this.random.below(VARIANTS);
    if (!known.has(key)) {
      const context = { random: this.random, commonestTool: this.commonestTool };
      const made = change.plant(this.runs[run]!, context);
      known.set(key, made === undefined ? undefined : this.observer.observe(made));
    }
    return known.get(key);
  }

  private withoutWording(run: Observation): Observation {
    const known = this.wordless.get(run);
    if (known !== undefined) return known;
    const isKept = (column: number) => aspectOfGroup(this.observer.columns[column]!.group) !== "text";
    const kept = Array.from(run.columns.keys()).filter((index) => isKept(run.columns[index]!));
    const made = {
      ...run,
      columns: Int32Array.from(kept, (index) => run.columns[index]!),
      values: Float64Array.from(kept, (index) => run.values[index]!),
      buckets: new Uint8Array(0),
      bucketValues: new Float64Array(0),
    };
    this.wordless.set(run, made);
    return made;
  }

  /** A random choice of scenarios; beyond the recorded number every scenario is used before one is used again. */
  private drawScenarios(size: number): (readonly number[])[] {
    const drawn: (readonly number[])[] = [];
    while (drawn.length < size) drawn.push(...shuffled(this.scenarios, this.random).slice(0, size - drawn.length));
    return drawn;
  }

  private split(
    scenarios: readonly (readonly number[])[],
    repeats: number | null,
    change: PlantedChange | undefined,
    share: number,
  ): Split {
    const runs: Observation[] = [];
    const sources: Observation[] = [];
    for (const [index, members] of scenarios.entries()) {
      const order = this.drawRuns(members, repeats);
      const candidates = Math.floor(order.length / 2);
      for (const [place, run] of order.entries()) {
        const isCandidate = place < candidates;
        const isTouched = change !== undefined && isCandidate && this.random.unit() < share;
        const observed = (isTouched ? this.planted(change, run) : undefined) ?? this.originals[run]!;
        const asked = change?.aspect === "text" ? observed : this.withoutWording(observed);
        sources.push(asked);
        runs.push({ ...asked, scenario: `${index}`, side: isCandidate ? "candidate" : "baseline" });
      }
    }
    return { runs, sources };
  }

  /** So many runs for both sides together; a scenario that has fewer lends some of them twice. */
  private drawRuns(members: readonly number[], repeats: number | null): number[] {
    const order = shuffled(members, this.random);
    if (repeats === null) return order;
    return shuffled(
      Array.from({ length: 2 * repeats }, (_, place) => order[place % order.length]!),
      this.random,
    );
  }
}

/** The joint signal costs more than all others together, and finds little that they do not: a plan without it is a little shy. */
const judges = ({ kind }: SignalName) => kind !== "joint";

const behaviour = aspects.filter((aspect) => aspect !== "text");

function aspectsFor(change: PlantedChange | undefined): readonly Aspect[] {
  return change?.aspect === "text" ? aspects : behaviour;
}

/** Half the width of Wilson's score interval. */
function halfWidth(hits: number, total: number): number {
  const share = hits / total;
  return (Z * Math.sqrt((share * (1 - share)) / total + (Z * Z) / (4 * total * total))) / (1 + (Z * Z) / total);
}
