import { describe, expect, it } from "vitest";
import { createRandom } from "./random.ts";

describe("the generator", () => {
  // Seed 0 stretches to this key; block 0 of ChaCha12 under it, from an independent calculation with big integers.
  it("draws the same numbers as a big-integer ChaCha12", () => {
    for (const seed of [0n, 42n, 18446744073709551615n]) {
      const random = createRandom(seed);
      const expected = bigIntegerWords(seed, 40);
      expect(Array.from({ length: 40 }, () => random.uint32())).toEqual(expected);
    }
  });

  it.each([1, 2, 3, 7, 10_000, 3_000_000, 4_294_967_295])("below(%i) is the widening multiplication", (n) => {
    const random = createRandom(7);
    const words = bigIntegerWords(7n, 256);
    const zone = (BigInt(n) << BigInt(Math.clz32(n))) - 1n;
    const expected = words
      .map((word) => BigInt(word) * BigInt(n))
      .filter((product) => BigInt.asUintN(32, product) <= zone)
      .map((product) => Number(product >> 32n));
    expect(expected.map(() => random.below(n))).toEqual(expected);
  });

  it("tallies the same draws as below", () => {
    for (const size of [1, 5, 17, 1000]) {
      const counts = new Uint16Array(size);
      createRandom(3).tally(counts);
      const single = createRandom(3);
      const expected = new Uint16Array(size);
      for (let draw = 0; draw < size; draw++) expected[single.below(size)]!++;
      expect(counts).toEqual(expected);
    }
  });
});

function bigIntegerWords(seed: bigint, count: number): number[] {
  const mask = (1n << 32n) - 1n;
  const rotate = (value: bigint, by: bigint) => ((value << by) | (value >> (32n - by))) & mask;
  const key: bigint[] = [];
  let state = seed;
  for (let index = 0; index < 8; index++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 11634580027462260723n);
    const mixed = (((state >> 18n) ^ state) >> 27n) & mask;
    key.push(rotate(mixed, (32n - (state >> 59n)) % 32n));
  }
  const constants = [0x61707865n, 0x3320646en, 0x79622d32n, 0x6b206574n];
  const words: number[] = [];
  for (let block = 0n; words.length < count; block++) {
    const start = [...constants, ...key, block, 0n, 0n, 0n];
    const work = [...start];
    const quarter = (a: number, b: number, c: number, d: number) => {
      const mix = (x: number, y: number, z: number, by: bigint) => {
        work[x] = (work[x]! + work[y]!) & mask;
        work[z] = rotate(work[z]! ^ work[x]!, by);
      };
      mix(a, b, d, 16n);
      mix(c, d, b, 12n);
      mix(a, b, d, 8n);
      mix(c, d, b, 7n);
    };
    for (let round = 0; round < 6; round++) {
      for (let column = 0; column < 4; column++) quarter(column, column + 4, column + 8, column + 12);
      quarter(0, 5, 10, 15);
      quarter(1, 6, 11, 12);
      quarter(2, 7, 8, 13);
      quarter(3, 4, 9, 14);
    }
    words.push(...work.map((word, index) => Number((word + start[index]!) & mask)));
  }
  return words.slice(0, count);
}
