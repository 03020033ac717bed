/**
 * Scenario: do the two sides differ inside scenarios, in whatever direction?
 *
 * For each scenario: h · (2 · mean distance across the sides − mean inside the baseline − mean inside the candidate), an
 * energy distance (Székely and Rizzo, 2013). Their sum is divided by its mean over all relabellings, so 1 is noise. With one
 * run a side it is always 1: without repeats nothing can be said about a single scenario.
 *
 * With w = label − n/t the scenario's term is −wᵀDw / h. D is centred once, after which only the pairs inside the smaller
 * side have to be added. Cost: all pairs once; per labelling the pairs inside the smaller side, or one look into a table where a
 * scenario has few runs. Memory: t²/2 per distance.
 */
import type { Design, DesignScenario } from "../design.ts";
import { type PairTable, pairIndex } from "../pairs.ts";

export interface ScenarioSums {
  /** The ratio of each distance under these labels. The array is reused. */
  ratios(labels: Uint8Array): Float64Array;
}

/** Below this total there is no distance at all, and the ratio is 1 whatever the labels. */
const NO_DISTANCE = 1e-12;

/** Distances per pair in a block, one for each signal; a table with fewer leaves the rest at 0. */
const LANES = 5;

/** True when some scenario has repeats: without any the signal is 1 by definition. */
export function hasRepeats(design: Design): boolean {
  return design.scenarios.some(({ start, end }) => end - start > 2);
}

/** `count`: how many of the table's distances, from the first on, carry a signal. */
export function createScenarioSums(design: Design, table: PairTable, count: number): ScenarioSums {
  const scale = new Float64Array(count);
  const blocks = design.scenarios.map((scenario, index) =>
    centredBlock(scenario, table.blocks[index]!, table.width, count, scale),
  );
  const ratios = new Float64Array(LANES);
  const members = new Int32Array(design.order.length);
  const terms = design.scenarios.map((scenario, index) => termsOf(scenario, blocks[index]!, members));
  return {
    ratios(labels) {
      ratios.fill(0);
      for (let index = 0; index < blocks.length; index++) {
        const known = terms[index];
        if (known === undefined) addBlock(ratios, blocks[index]!, design.scenarios[index]!, labels, members);
        else addTerm(ratios, known, design.scenarios[index]!, labels);
      }
      for (let name = 0; name < count; name++) {
        ratios[name] = scale[name]! <= NO_DISTANCE ? 1 : ratios[name]! / scale[name]!;
      }
      return ratios;
    },
  };
}

/**
 * The lower triangle with diagonal, `LANES` values per pair: the centred distances times −1/h, twice off the diagonal,
 * so that the scenario's term is the plain sum over the pairs inside one side.
 */
function centredBlock(
  scenario: DesignScenario,
  pairs: Float64Array,
  width: number,
  count: number,
  scale: Float64Array,
): Float64Array {
  const size = scenario.end - scenario.start;
  const block = new Float64Array(((size * (size + 1)) / 2) * LANES);
  const rowMeans = new Float64Array(size);
  for (let name = 0; name < count; name++) {
    rowMeans.fill(0);
    let mean = 0;
    for (let row = 1; row < size; row++) {
      for (let column = 0; column < row; column++) {
        const value = pairs[pairIndex(row, column) * width + name]! / size;
        rowMeans[row]! += value;
        rowMeans[column]! += value;
        mean += (2 * value) / size;
      }
    }
    // The sum over all ordered pairs, divided by t(t − 1).
    scale[name]! += (mean * size) / (size - 1);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column <= row; column++) {
        const distance = row === column ? 0 : pairs[pairIndex(row, column) * width + name]!;
        const centred = distance - rowMeans[row]! - rowMeans[column]! + mean;
        block[((row * (row + 1)) / 2 + column) * LANES + name] =
          (centred * (row === column ? -1 : -2)) / scenario.weight;
      }
    }
  }
  return block;
}

/** A scenario with so few runs has few labellings, and the terms of all of them are known beforehand. */
const MOST_RUNS = 6;

/** The terms of a scenario by its labels, read as the digits of a binary number; undefined when there are too many. */
function termsOf(scenario: DesignScenario, block: Float64Array, members: Int32Array): Float64Array | undefined {
  const { start, end, candidate } = scenario;
  const runs = end - start;
  if (runs > MOST_RUNS) return undefined;
  const alone = { ...scenario, start: 0, end: runs };
  const labels = new Uint8Array(runs);
  const terms = new Float64Array((1 << runs) * LANES);
  for (let mask = 0; mask < 1 << runs; mask++) {
    let ones = 0;
    for (let run = 0; run < runs; run++) {
      labels[run] = (mask >> run) & 1;
      ones += labels[run]!;
    }
    if (ones === candidate) addBlock(terms.subarray(mask * LANES, (mask + 1) * LANES), block, alone, labels, members);
  }
  return terms;
}

function addTerm(into: Float64Array, terms: Float64Array, { start, end }: DesignScenario, labels: Uint8Array): void {
  let mask = 0;
  for (let place = start; place < end; place++) mask |= labels[place]! << (place - start);
  const at = mask * LANES;
  for (let lane = 0; lane < LANES; lane++) into[lane]! += terms[at + lane]!;
}

/** `members` is scratch space for the places of the smaller side. */
function addBlock(
  into: Float64Array,
  block: Float64Array,
  { start, end, baseline, candidate }: DesignScenario,
  labels: Uint8Array,
  members: Int32Array,
): void {
  // The centred sum over the pairs inside one side is the same for both sides: take the smaller one.
  const side = candidate <= baseline ? 1 : 0;
  let size = 0;
  for (let place = start; place < end; place++) if (labels[place] === side) members[size++] = place - start;
  // Five sums in local variables: with a thousand runs in a scenario this loop is nearly all of the work.
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let fifth = 0;
  for (let one = 0; one < size; one++) {
    const row = members[one]!;
    const base = (row * (row + 1)) / 2;
    for (let other = 0; other <= one; other++) {
      const at = (base + members[other]!) * LANES;
      first += block[at]!;
      second += block[at + 1]!;
      third += block[at + 2]!;
      fourth += block[at + 3]!;
      fifth += block[at + 4]!;
    }
  }
  into[0]! += first;
  into[1]! += second;
  into[2]! += third;
  into[3]! += fourth;
  into[4]! += fifth;
}
