/**
 * The distances of pairs, measured once for everybody who compares the same runs again and again in other company (`pairs.ts` has no
 * memory). A distance is the same in both directions, so a pair is one entry. Memory: one entry per pair of runs that met.
 */
import type { Design } from "./design.ts";
import { type Distances, runDistances } from "./distances.ts";
import type { Observation } from "./observe.ts";
import { PAIR_WIDTH, type PairTable, pairIndex, putDistances } from "./pairs.ts";

export class RememberedPairs {
  private readonly numbers = new Map<Observation, number>();
  private readonly known = new Map<number, Distances>();

  /** As `measurePairs` would; `runs` are the very objects that came before. */
  measure(design: Design, runs: readonly Observation[]): PairTable {
    const blocks = design.scenarios.map(({ start, end }) => {
      const members = Array.from(design.order.subarray(start, end), (position) => runs[position]!);
      const numbers = members.map((member) => this.numberOf(member));
      const block = new Float64Array(pairIndex(members.length, 0) * PAIR_WIDTH);
      for (let row = 1; row < members.length; row++) {
        for (let column = 0; column < row; column++) {
          const [low, high] = [Math.min(numbers[row]!, numbers[column]!), Math.max(numbers[row]!, numbers[column]!)];
          const key = pairIndex(high + 1, low);
          const distances = this.known.get(key) ?? runDistances(members[row]!, members[column]!);
          this.known.set(key, distances);
          putDistances(block, pairIndex(row, column) * PAIR_WIDTH, distances);
        }
      }
      return block;
    });
    return { width: PAIR_WIDTH, blocks };
  }

  private numberOf(run: Observation): number {
    const known = this.numbers.get(run);
    if (known !== undefined) return known;
    this.numbers.set(run, this.numbers.size);
    return this.numbers.size - 1;
  }
}
