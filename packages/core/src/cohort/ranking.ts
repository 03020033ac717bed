/**
 * Where to look first: scenarios and candidate runs by how far they are from the baseline. Descriptive, never a verdict.
 *
 * A scenario's score is the mean `run` distance between the sides minus the mean inside them; without repeats it is the
 * distance itself. A candidate run stands beside what the scenario's baseline runs do among themselves (each one's mean
 * distance to the others). Cost: one pass over the pairs.
 */
import type { Design, DesignScenario } from "./design.ts";
import { type PairTable, pairIndex, RUN_DISTANCE } from "./pairs.ts";

export interface RankedScenario {
  readonly scenario: string;
  readonly baselineRuns: number;
  readonly candidateRuns: number;
  /** Mean distance between the sides. */
  readonly between: number;
  /** Mean distance inside the sides; null without repeats. */
  readonly within: number | null;
  /** `between − within`, or `between` without repeats. */
  readonly score: number;
}

export interface RankedRun {
  readonly scenario: string;
  /** Position of the candidate run in the input. */
  readonly run: number;
  /** Mean distance to the scenario's baseline runs. */
  readonly distance: number;
  /** Each baseline run's mean distance to the other baseline runs; empty without repeats of the baseline. */
  readonly baselineDistances: readonly number[];
  /** Position of the nearest baseline run in the input, and its distance. */
  readonly nearest: number;
  readonly nearestDistance: number;
}

export interface Ranking {
  readonly scenarios: readonly RankedScenario[];
  readonly runs: readonly RankedRun[];
}

export function rankRuns(design: Design, table: PairTable): Ranking {
  const scenarios: RankedScenario[] = [];
  const runs: RankedRun[] = [];
  for (const [index, scenario] of design.scenarios.entries()) {
    const distance = distanceReader(table, index);
    scenarios.push(rankScenario(design, scenario, distance));
    runs.push(...rankCandidates(design, scenario, distance));
  }
  scenarios.sort((left, right) => right.score - left.score);
  runs.sort((left, right) => right.distance - left.distance);
  return { scenarios, runs };
}

type DistanceReader = (one: number, other: number) => number;

/** The `run` distance of two places counted inside the scenario. */
function distanceReader({ blocks, width }: PairTable, index: number): DistanceReader {
  const block = blocks[index]!;
  return (one, other) => {
    if (one === other) return 0;
    return block[pairIndex(Math.max(one, other), Math.min(one, other)) * width + RUN_DISTANCE]!;
  };
}

function rankScenario(design: Design, scenario: DesignScenario, distance: DistanceReader): RankedScenario {
  const { id, start, end, baseline, candidate } = scenario;
  const between = new Mean();
  const within = new Mean();
  for (let row = 1; row < end - start; row++) {
    for (let column = 0; column < row; column++) {
      const same = design.observed[start + row] === design.observed[start + column];
      (same ? within : between).add(distance(row, column));
    }
  }
  return {
    scenario: id,
    baselineRuns: baseline,
    candidateRuns: candidate,
    between: between.value,
    within: within.count === 0 ? null : within.value,
    score: between.value - (within.count === 0 ? 0 : within.value),
  };
}

function rankCandidates(design: Design, { id, start, end }: DesignScenario, distance: DistanceReader): RankedRun[] {
  const places = Array.from({ length: end - start }, (_, place) => place);
  const baseline = places.filter((place) => design.observed[start + place] === 0);
  const baselineDistances = baseline.length < 2 ? [] : baseline.map((one) => meanTo(one, baseline, distance));
  return places
    .filter((place) => design.observed[start + place] === 1)
    .map((place) => {
      const nearest = baseline.reduce((best, other) => (distance(place, other) < distance(place, best) ? other : best));
      return {
        scenario: id,
        run: design.order[start + place]!,
        distance: meanTo(place, baseline, distance),
        baselineDistances,
        nearest: design.order[start + nearest]!,
        nearestDistance: distance(place, nearest),
      };
    });
}

function meanTo(one: number, others: readonly number[], distance: DistanceReader): number {
  const mean = new Mean();
  for (const other of others) if (other !== one) mean.add(distance(one, other));
  return mean.value;
}

class Mean {
  count = 0;
  private sum = 0;

  add(value: number): void {
    this.sum += value;
    this.count++;
  }

  get value(): number {
    return this.count === 0 ? 0 : this.sum / this.count;
  }
}
