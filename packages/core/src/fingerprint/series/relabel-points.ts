/**
 * The other ways in which runs could have fallen on the points of a series. If nothing drifted, it is an accident which
 * runs stand at which point, so every way to hand out the points was equally likely; the number of runs per point stays.
 * Runs of one scenario change places only with each other: tasks may differ from each other as much as they like.
 *
 * Few ways are all enumerated (an exact test); of many, a seeded sample is drawn. The observed one always comes first and
 * is one of them, so a p-value is never 0. Phipson and Smyth (2010), "Permutation p-values should never be zero".
 */
import { ENUMERATION_LIMIT } from "../../stats/draws-for.ts";
import { createRandom, type Random, type Seed } from "../../stats/random.ts";

export interface PointLabellings {
  readonly count: number;
  readonly exact: boolean;
  /** Calls `visit` once per labelling, the observed one first. The array is reused: read it, do not keep it. */
  forEach(visit: (labels: Uint16Array, index: number) => void): void;
}

/** Which point each run stands at, ascending, and which runs may change places: those of one stratum. */
export interface Placement {
  readonly labels: Uint16Array;
  readonly strata: readonly (readonly number[])[];
}

/** Runs of points with these sizes, in order; `scenarios` names the stratum of each. */
export function placementOf(sizes: readonly number[], scenarios: readonly string[]): Placement {
  const labels = Uint16Array.from(sizes.flatMap((size, point) => new Array<number>(size).fill(point)));
  const strata = new Map<string, number[]>();
  for (let run = 0; run < labels.length; run++) {
    const scenario = scenarios[run] ?? "";
    const members = strata.get(scenario);
    if (members === undefined) strata.set(scenario, [run]);
    else members.push(run);
  }
  return { labels, strata: [...strata.values()] };
}

export function relabelPoints(placement: Placement, draws: number, seed: Seed): PointLabellings {
  const { labels: observed, strata } = placement;
  const total = countWays(placement);
  const labels = observed.slice();
  const grouped = strata.map((runs) => Uint16Array.from(runs, (run) => observed[run]!));
  const scatter = (at: number) => {
    const [runs, from] = [strata[at]!, grouped[at]!];
    for (let index = 0; index < runs.length; index++) labels[runs[index]!] = from[index]!;
  };
  if (total <= ENUMERATION_LIMIT) {
    return {
      count: total,
      exact: true,
      forEach(visit) {
        // Observed labels ascend inside each stratum, so they are the first of all arrangements.
        for (let index = 0; ; index++) {
          visit(labels, index);
          // Like an odometer: the last stratum that can still advance does, all after it start again.
          let at = grouped.length - 1;
          while (at >= 0 && !nextArrangement(grouped[at]!)) {
            grouped[at]!.sort();
            scatter(at--);
          }
          if (at < 0) return;
          scatter(at);
        }
      },
    };
  }
  return {
    count: draws + 1,
    exact: false,
    forEach(visit) {
      visit(observed, 0);
      const random = createRandom(seed);
      for (let draw = 1; draw <= draws; draw++) {
        for (let at = 0; at < grouped.length; at++) {
          shuffle(grouped[at]!, random);
          scatter(at);
        }
        visit(labels, draw);
      }
    },
  };
}

/** The product of the strata's multinomial coefficients; Infinity when it is beyond a double. */
export function countWays({ labels, strata }: Placement): number {
  let ways = 1;
  for (const runs of strata) {
    const placed = new Map<number, number>();
    for (const [index, run] of runs.entries()) {
      const size = (placed.get(labels[run]!) ?? 0) + 1;
      placed.set(labels[run]!, size);
      ways = (ways * (index + 1)) / size;
    }
    if (ways === Number.POSITIVE_INFINITY) return ways;
  }
  return Math.round(ways);
}

function shuffle(labels: Uint16Array, random: Random): void {
  for (let index = labels.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    const label = labels[other]!;
    labels[other] = labels[index]!;
    labels[index] = label;
  }
}

/** The next arrangement in lexicographic order; false after the last one. */
function nextArrangement(labels: Uint16Array): boolean {
  let pivot = labels.length - 2;
  while (pivot >= 0 && labels[pivot]! >= labels[pivot + 1]!) pivot--;
  if (pivot < 0) return false;
  let other = labels.length - 1;
  while (labels[other]! <= labels[pivot]!) other--;
  const label = labels[pivot]!;
  labels[pivot] = labels[other]!;
  labels[other] = label;
  labels.subarray(pivot + 1).reverse();
  return true;
}
